/*
 * Loads an agent as a JVM does that is not HotSpot: it has JVM TI 11 or not, says which Java it
 * is, and exports none of HotSpot's own tables.
 *
 * other_jvm AGENT VERSION|none; exits with 99 if the agent lets the JVM go on.
 */
#include <dlfcn.h>
#include <jvmti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *version;

static jvmtiError JNICALL get_system_property(jvmtiEnv *env, const char *name, char **value) {
    (void)env;
    if (strcmp(name, "java.vm.specification.version") != 0) {
        return JVMTI_ERROR_NOT_AVAILABLE;
    }
    *value = strdup(version);
    return JVMTI_ERROR_NONE;
}

static jvmtiError JNICALL deallocate(jvmtiEnv *env, unsigned char *memory) {
    (void)env;
    free(memory);
    return JVMTI_ERROR_NONE;
}

static jvmtiInterface_1 functions;
static jvmtiEnv jvmti = &functions;

static jint JNICALL get_env(JavaVM *vm, void **env, jint asked) {
    (void)vm;
    (void)asked;
    if (strcmp(version, "none") == 0) {
        return JNI_EVERSION;
    }
    *env = &jvmti;
    return JNI_OK;
}

int main(int count, char **arguments) {
    if (count != 3) {
        return 98;
    }
    version = arguments[2];
    functions.GetSystemProperty = get_system_property;
    functions.Deallocate = deallocate;
    struct JNIInvokeInterface_ invoke = {.GetEnv = get_env};
    JavaVM vm = &invoke;
    void *agent = dlopen(arguments[1], RTLD_NOW);
    if (agent == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 97;
    }
    jint (*on_load)(JavaVM *, char *, void *) = (jint(*)(JavaVM *, char *, void *))dlsym(agent, "Agent_OnLoad");
    char options[] = "out=other.subsume";
    return on_load == NULL ? 96 : on_load(&vm, options, NULL) == JNI_OK ? 99 : 95;
}
