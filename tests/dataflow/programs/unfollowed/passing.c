/* The native half of Passing: it calls in all ways in which JNI can. */
#include <jni.h>
#include <stdarg.h>

static jobject inner(JNIEnv *env, jobject self, jint *way) {
    jclass native = (*env)->GetObjectClass(env, self);
    jfieldID field = (*env)->GetFieldID(env, native, "inner", "LPassing$Link;");
    *way = (*env)->GetIntField(env, self, (*env)->GetFieldID(env, native, "way", "I"));
    return (*env)->GetObjectField(env, self, field);
}

static void set_v(JNIEnv *env, jobject to, jmethodID method, ...) {
    va_list arguments;
    va_start(arguments, method);
    (*env)->CallVoidMethodV(env, to, method, arguments);
    va_end(arguments);
}

static jobject get_v(JNIEnv *env, jobject from, jmethodID method, ...) {
    va_list arguments;
    va_start(arguments, method);
    jobject result = (*env)->CallObjectMethodV(env, from, method, arguments);
    va_end(arguments);
    return result;
}

JNIEXPORT void JNICALL Java_Passing_00024Native_set(JNIEnv *env, jobject self, jobject value) {
    jint way;
    jobject to = inner(env, self, &way);
    jclass class = (*env)->GetObjectClass(env, to);
    jmethodID method = (*env)->GetMethodID(env, class, "set", "(Ljava/lang/Object;)V");
    jvalue other = {.l = NULL};
    (void)value;
    switch (way) {
    case 0: (*env)->CallVoidMethod(env, to, method, NULL); break;
    case 1: (*env)->CallVoidMethodA(env, to, method, &other); break;
    case 2: set_v(env, to, method, NULL); break;
    default: (*env)->CallNonvirtualVoidMethod(env, to, class, method, NULL); break;
    }
}

JNIEXPORT jobject JNICALL Java_Passing_00024Native_get(JNIEnv *env, jobject self, jobject value) {
    jint way;
    jobject from = inner(env, self, &way);
    jclass class = (*env)->GetObjectClass(env, from);
    jmethodID method = (*env)->GetMethodID(env, class, "get", "(Ljava/lang/Object;)Ljava/lang/Object;");
    jvalue other = {.l = NULL};
    (void)value;
    switch (way) {
    case 0: (*env)->CallObjectMethod(env, from, method, NULL); break;
    case 1: (*env)->CallObjectMethodA(env, from, method, &other); break;
    case 2: get_v(env, from, method, NULL); break;
    default: (*env)->CallNonvirtualObjectMethod(env, from, class, method, NULL); break;
    }
    return NULL;
}
