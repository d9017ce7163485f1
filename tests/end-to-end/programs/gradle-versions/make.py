"""Makes a Gradle that can be started from what Maven Central has of it: make.py VERSION FOLDER.

Gradle's distributions are not on Maven Central, but dev.gradleplugins:gradle-api is: all classes of
a release that plugins see, which are nearly all. They lack Gradle's own start (Gradle8.java stands in
for it), the compiler plugin for incremental compilation (builds run javac as a process), and
the Kotlin DSL. Libraries are moved into a package of Gradle's, and JUnit has to be moved back.

Prints the command that starts it.
"""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zipfile

# Libraries that Gradle looks for as files; of others it only wants to know that they are there.
LIBRARIES = {
    "7.6": {"org.codehaus.groovy": "3.0.13", "org.apache.ant": "1.10.11", "org.jetbrains.kotlin": "1.7.10"},
    "8.10": {"org.codehaus.groovy": "3.0.22", "org.apache.ant": "1.10.14", "org.jetbrains.kotlin": "1.9.24"},
}
ARTIFACTS = {
    "org.codehaus.groovy": [
        "groovy", "groovy-ant", "groovy-astbuilder", "groovy-console", "groovy-datetime", "groovy-dateutil",
        "groovy-docgenerator", "groovy-groovydoc", "groovy-json", "groovy-nio", "groovy-sql", "groovy-swing",
        "groovy-templates", "groovy-test", "groovy-xml"],
    "org.apache.ant": ["ant", "ant-launcher"],
    "org.jetbrains.kotlin": ["kotlin-stdlib", "kotlin-stdlib-jdk7", "kotlin-stdlib-jdk8", "kotlin-stdlib-common", "kotlin-reflect"],
}
# The jar that gets all classes: every other one depends on it.
ALL = "gradle-base-services"
# Modules that the artifact lacks.
LACKING = ["gradle-java-compiler-plugin", "gradle-gradle-cli"]
MOVED = re.compile(
    rb"org([/.])gradle[/.]internal[/.]impldep[/.](?=(org[/.](junit|hamcrest|opentest4j)|junit)\b)")
OPENED = [
    "java.base/java.util", "java.base/java.lang", "java.base/java.lang.invoke", "java.base/java.net",
    "java.base/java.nio.charset", "java.prefs/java.util.prefs", "java.xml/javax.xml.namespace"]
COMPILING = """\
allprojects {
    tasks.withType(JavaCompile).configureEach {
        options.fork = true
        options.forkOptions.executable = System.getProperty("java.home") + "/bin/javac"
    }
}
"""


def fetch(wanted, folder):
    """Copies jars of Maven Central into a folder."""
    project = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId>" \
        "<version>1</version><dependencies>"
    for group, artifact, version in wanted:
        project += f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>" \
            f"<version>{version}</version><exclusions><exclusion><groupId>*</groupId>" \
            "<artifactId>*</artifactId></exclusion></exclusions></dependency>"
    folder.mkdir()
    (folder / "pom.xml").write_text(project + "</dependencies></project>")
    subprocess.run(
        ["mvn", "-B", "-q", "-f", folder / "pom.xml",
         "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies",
         f"-DoutputDirectory={folder}"], check=True, stdout=sys.stderr)


def moved_back(code):
    """A class file whose constants name JUnit as everybody does."""
    count = struct.unpack(">H", code[8:10])[0]
    parts, at, index = [code[:10]], 10, 1
    while index < count:
        tag = code[at]
        if tag == 1:
            length = struct.unpack(">H", code[at + 1:at + 3])[0]
            text = MOVED.sub(b"", code[at + 3:at + 3 + length])
            parts.append(b"\x01" + struct.pack(">H", len(text)) + text)
            at += 3 + length
        else:
            size = {7: 3, 8: 3, 16: 3, 19: 3, 20: 3, 15: 4, 5: 9, 6: 9}.get(tag, 5)
            parts.append(code[at:at + size])
            at += size
            index += tag in (5, 6)
        index += 1
    return b"".join(parts) + code[at:]


def module(folder, name, version, properties):
    with zipfile.ZipFile(folder / f"{name}-{version}.jar", "w") as jar:
        if properties is not None:
            jar.writestr(f"{name}-classpath.properties", properties)


def make(version, folder):
    shutil.rmtree(folder, ignore_errors=True)
    lib = folder / "lib"
    (lib / "plugins").mkdir(parents=True)
    present, modules, wanted = set(), [], set()
    libraries = [(group, artifact, release) for group, release in LIBRARIES[version].items()
                 for artifact in ARTIFACTS[group]]
    fetch([("dev.gradleplugins", "gradle-api", version), *libraries], folder / "fetched")
    for _, artifact, release in libraries:
        jar = f"{artifact}-{release}.jar"
        shutil.move(folder / "fetched" / jar, lib)
        present.add(jar)
    api = zipfile.ZipFile(folder / "fetched" / f"gradle-api-{version}.jar")
    with zipfile.ZipFile(lib / f"{ALL}-{version}.jar", "w") as every:
        for name in api.namelist():
            content = api.read(name)
            found = re.fullmatch(r"([^/]*)-classpath\.properties", name)
            if found:
                lines = []
                for line in content.decode().splitlines():
                    key, _, value = line.partition("=")
                    if key == "runtime":
                        wanted.update(value.split(","))
                        value = ",".join(jar for jar in value.split(",") if jar in present)
                    lines.append(f"{key}={value}")
                content = "\n".join(lines).encode()
                modules.append(found[1])
                if found[1] != ALL:
                    module(lib, found[1], version, content)
            elif name.endswith(".class") and name.startswith("org/gradle/") and b"impldep" in content \
                    and not name.startswith("org/gradle/internal/impldep"):
                content = moved_back(content)
            every.writestr(name, content)
    for name in LACKING:
        if name not in modules:
            module(lib, name, version, f"projects={','.join(modules) if 'cli' in name else ''}\nruntime=\n")
    for jar in wanted - present - {""}:
        module(lib, re.sub(r"-\d.*", "", jar), "0", None)
    shutil.rmtree(folder / "fetched")


def main(version, folder):
    folder = pathlib.Path(folder).resolve()
    start = folder / "start"
    if not (folder / "made").exists():
        make(version, folder)
        start.mkdir()
        source = pathlib.Path(__file__).with_name("Gradle8.java")
        if version.startswith("8."):
            javac = pathlib.Path(os.environ["JAVA_HOME"], "bin", "javac")
            subprocess.run([javac, "-nowarn", "-cp", f"{folder}/lib/*", "-d", start, source], check=True)
        (folder / "init.gradle").write_text(COMPILING)
        # Written last: what was interrupted is done again.
        (folder / "made").write_text("")
    main_class = "Gradle8" if version.startswith("8.") else "org.gradle.launcher.Main"
    opened = [word for package in OPENED for word in ("--add-opens", f"{package}=ALL-UNNAMED")]
    print(*[
        "java", *opened, "-Xms256m", "-Xmx512m", "-XX:MaxMetaspaceSize=384m", "-XX:+HeapDumpOnOutOfMemoryError",
        "-Dorg.gradle.internal.instrumentation.agent=false", f"-Dgradle.home={folder}",
        "-cp", f"{start}:{folder}/lib/*", main_class, "--no-daemon", "-g", str(folder / "home"),
        "-I", str(folder / "init.gradle")], sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
