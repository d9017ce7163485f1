/* The natives of Back. */

#include <jni.h>

#define SINK "LSink;"
#define ANY "Ljava/lang/Object;"

static jobject pass(JNIEnv *env, jobject in, jobject o) {
    if (in == NULL) {
        return NULL;
    }
    jclass type = (*env)->GetObjectClass(env, in);
    jmethodID method = (*env)->GetMethodID(env, type, "pass", "(" ANY ")" ANY);
    return (*env)->CallObjectMethod(env, in, method, o);
}

static jfieldID field(JNIEnv *env, jobject of, const char *name, const char *type) {
    return (*env)->GetFieldID(env, (*env)->GetObjectClass(env, of), name, type);
}

static jobject forward(JNIEnv *env, jobject self) {
    jobject in = (*env)->GetObjectField(env, self, field(env, self, "in", SINK));
    jobject other = (*env)->GetObjectField(env, self, field(env, self, "other", ANY));
    return pass(env, in, other);
}

JNIEXPORT jobject JNICALL Java_Back_pass(JNIEnv *env, jobject self, jobject o) {
    return forward(env, self);
}

JNIEXPORT jobject JNICALL Java_Back_00024Swap_pass(JNIEnv *env, jobject self, jobject o) {
    forward(env, self);
    return o;
}

JNIEXPORT jobject JNICALL Java_Back_call(JNIEnv *env, jclass type, jobject in, jobject o) {
    return pass(env, in, o);
}

JNIEXPORT void JNICALL Java_Back_set(JNIEnv *env, jclass type, jobject to, jobject o) {
    if (to != NULL) {
        (*env)->SetObjectField(env, to, field(env, to, "other", ANY), o);
    }
}

JNIEXPORT jobject JNICALL Java_Back_get(JNIEnv *env, jclass type, jobject from) {
    return from == NULL ? NULL : (*env)->GetObjectField(env, from, field(env, from, "other", ANY));
}

JNIEXPORT void JNICALL Java_Back_setElement(
        JNIEnv *env, jclass type, jobjectArray to, jint at, jobject o) {
    if (to != NULL && at >= 0 && at < (*env)->GetArrayLength(env, to)) {
        (*env)->SetObjectArrayElement(env, to, at, o);
    }
}

JNIEXPORT jobject JNICALL Java_Back_make(JNIEnv *env, jclass type, jobject in, jobject other) {
    jmethodID constructor = (*env)->GetMethodID(env, type, "<init>", "(" SINK ANY ")V");
    return (*env)->NewObject(env, type, constructor, in, other);
}

JNIEXPORT void JNICALL Java_Back_run(JNIEnv *env, jclass type, jobject what) {
    if (what != NULL) {
        jclass runnable = (*env)->GetObjectClass(env, what);
        (*env)->CallVoidMethod(env, what, (*env)->GetMethodID(env, runnable, "run", "()V"));
    }
}

static jobject construct(JNIEnv *env, jclass type, jobject o) {
    jobject made =
            (*env)->NewObject(env, type, (*env)->GetMethodID(env, type, "<init>", "(" ANY ")V"), o);
    return (*env)->ExceptionCheck(env) ? NULL : made;
}

JNIEXPORT jobject JNICALL Java_Back_attempt__Ljava_lang_Class_2Ljava_lang_Object_2(
        JNIEnv *env, jclass type, jclass of, jobject o) {
    jobject made = construct(env, of, o);
    (*env)->ExceptionClear(env);
    return made;
}

JNIEXPORT jobject JNICALL Java_Back_attempt__LSink_2LSink_2Ljava_lang_Object_2(
        JNIEnv *env, jclass type, jobject first, jobject otherwise, jobject o) {
    jobject passed = pass(env, first, o);
    if (!(*env)->ExceptionCheck(env)) {
        return passed;
    }
    (*env)->ExceptionClear(env);
    return pass(env, otherwise, o);
}

JNIEXPORT jobject JNICALL Java_Back_00024Making_pass(JNIEnv *env, jobject self, jobject o) {
    construct(env, (*env)->GetObjectField(env, self, field(env, self, "other", ANY)), o);
    return o;
}
