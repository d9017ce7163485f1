# The command and the agent alone, for images that take them and for reading profiles, made by
#
#     scripts/package tar container
#     docker build -t subsume:slim -f target/packages/container/slim.Dockerfile target/packages/container
#
# An image with a program takes both, and needs glibc 2.28 or later and HotSpot 17 or later:
#
#     COPY --from=subsume:slim /opt/subsume /opt/subsume
#     ENV JAVA_TOOL_OPTIONS="-agentpath:/opt/subsume/lib/libsubsume.so=start=off"
#
# The base needs glibc and libgcc_s, no shell and no Java.
ARG BASE=gcr.io/distroless/cc-debian12
FROM debian:12-slim AS unpacked
# The archive is unpacked by this.
ADD subsume.tar.gz /opt/
RUN mv /opt/subsume-* /opt/subsume && rm -r /opt/subsume/share/man /opt/subsume/share/bash-completion \
    /opt/subsume/share/zsh /opt/subsume/share/fish

FROM $BASE
COPY --from=unpacked /opt/subsume /opt/subsume
WORKDIR /work
ENTRYPOINT ["/opt/subsume/bin/subsume"]
CMD ["--help"]
