/*
 * An agent in whose JVM classes cannot be listed until a file exists: it puts a
 * function of its own in the place of GetLoadedClasses, in the table that all
 * agents share.
 */
#include <jvmti.h>
#include <string.h>
#include <unistd.h>

static char file[4096];

static jvmtiError(JNICALL *list)(jvmtiEnv *env, jint *count, jclass **classes);

static jvmtiError JNICALL list_later(jvmtiEnv *env, jint *count, jclass **classes) {
    if (access(file, F_OK) != 0) {
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    return list(env, count, classes);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void) reserved;
    jvmtiEnv *env;
    if ((*vm)->GetEnv(vm, (void **) &env, JVMTI_VERSION_11) != JNI_OK) {
        return JNI_ERR;
    }
    strncpy(file, options, sizeof file - 1);
    struct jvmtiInterface_1_ *functions = (struct jvmtiInterface_1_ *) *env;
    list = functions->GetLoadedClasses;
    functions->GetLoadedClasses = list_later;
    return JNI_OK;
}
