/* The native half of CallsBack.java. */
#include <jni.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static JavaVM *vm;
static jclass self;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *loaded_by, void *reserved) {
    JNIEnv *env;
    (void)reserved;
    vm = loaded_by;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) {
        return JNI_ERR;
    }
    jclass found = (*env)->FindClass(env, "CallsBack");
    if (found == NULL) {
        return JNI_ERR;
    }
    self = (*env)->NewGlobalRef(env, found);
    return self == NULL ? JNI_ERR : JNI_VERSION_1_8;
}

JNIEXPORT jint JNICALL Java_CallsBack_descend(JNIEnv *env, jclass in, jint depth) {
    jmethodID down = (*env)->GetStaticMethodID(env, in, "down", "(I)I");
    return down == NULL ? -1 : (*env)->CallStaticIntMethod(env, in, down, depth);
}

JNIEXPORT jobject JNICALL Java_CallsBack_rethrown(JNIEnv *env, jclass in, jint how) {
    jmethodID thrower = (*env)->GetStaticMethodID(env, in, "thrower", "(I)Ljava/lang/Object;");
    if (thrower == NULL) {
        return NULL;
    }
    jobject result = (*env)->CallStaticObjectMethod(env, in, thrower, how);
    if (how == 1) {
        /* Seen and replaced by another. */
        jthrowable thrown = (*env)->ExceptionOccurred(env);
        (*env)->ExceptionClear(env);
        jclass other = (*env)->FindClass(env, "java/lang/IllegalStateException");
        if (thrown != NULL && other != NULL) {
            (*env)->ThrowNew(env, other, "replaced");
        }
        return NULL;
    }
    return result;
}

JNIEXPORT jobject JNICALL Java_CallsBack_create(JNIEnv *env, jclass in, jint value) {
    (void)in;
    jclass picky = (*env)->FindClass(env, "CallsBack$Picky");
    jmethodID constructor = picky == NULL ? NULL : (*env)->GetMethodID(env, picky, "<init>", "(I)V");
    return constructor == NULL ? NULL : (*env)->NewObject(env, picky, constructor, value);
}

static jstring base_name(JNIEnv *env, jobject object) {
    jclass base = (*env)->FindClass(env, "CallsBack$Base");
    jmethodID name = base == NULL ? NULL : (*env)->GetMethodID(env, base, "name", "()Ljava/lang/String;");
    return name == NULL ? NULL : (jstring)(*env)->CallNonvirtualObjectMethod(env, object, base, name);
}

JNIEXPORT jstring JNICALL Java_CallsBack_withoutDispatch(JNIEnv *env, jclass in, jobject object) {
    (void)in;
    return base_name(env, object);
}

JNIEXPORT jstring JNICALL Java_CallsBack_00024Derived_nativeName(JNIEnv *env, jobject object) {
    jmethodID name = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, object), "name", "()Ljava/lang/String;");
    return name == NULL ? NULL : (jstring)(*env)->CallObjectMethod(env, object, name);
}

JNIEXPORT jclass JNICALL Java_CallsBack_find(JNIEnv *env, jclass in, jstring name) {
    (void)in;
    const char *bytes = (*env)->GetStringUTFChars(env, name, NULL);
    if (bytes == NULL) {
        return NULL;
    }
    jclass found = (*env)->FindClass(env, bytes);
    (*env)->ReleaseStringUTFChars(env, name, bytes);
    return found;
}

static jint JNICALL answer_one(JNIEnv *env, jobject object) {
    (void)env;
    (void)object;
    return 41;
}

static jint JNICALL answer_two(JNIEnv *env, jobject object) {
    jmethodID hash = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, object), "getClass", "()Ljava/lang/Class;");
    return hash != NULL && (*env)->CallObjectMethod(env, object, hash) != NULL ? 42 : -1;
}

JNIEXPORT jboolean JNICALL Java_CallsBack_register(JNIEnv *env, jclass in, jclass target, jint answer) {
    (void)in;
    JNINativeMethod method = {"answer", "()I", (void *)(answer == 1 ? answer_one : answer_two)};
    return (*env)->RegisterNatives(env, target, &method, 1) == JNI_OK;
}

JNIEXPORT jboolean JNICALL Java_CallsBack_unregister(JNIEnv *env, jclass in, jclass target) {
    (void)in;
    return (*env)->UnregisterNatives(env, target) == JNI_OK;
}

JNIEXPORT jclass JNICALL Java_CallsBack_define(JNIEnv *env, jclass in, jobject loader, jstring name, jbyteArray bytes) {
    (void)in;
    jsize length = (*env)->GetArrayLength(env, bytes);
    jbyte *copy = malloc((size_t)length);
    const char *spelled = copy == NULL ? NULL : (*env)->GetStringUTFChars(env, name, NULL);
    jclass defined = NULL;
    if (spelled != NULL) {
        (*env)->GetByteArrayRegion(env, bytes, 0, length, copy);
        defined = (*env)->DefineClass(env, spelled, loader, copy, length);
        (*env)->ReleaseStringUTFChars(env, name, spelled);
    }
    free(copy);
    return defined;
}

struct work {
    pthread_t thread;
    jboolean daemon;
    jint number;
    jint result;
};

static void *attached(void *argument) {
    struct work *work = argument;
    JNIEnv *env;
    JavaVMAttachArgs arguments = {JNI_VERSION_1_8, "attached", NULL};
    jint status = work->daemon ? (*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &arguments)
                               : (*vm)->AttachCurrentThread(vm, (void **)&env, &arguments);
    if (status != JNI_OK) {
        return NULL;
    }
    jmethodID from_thread = (*env)->GetStaticMethodID(env, self, "fromThread", "(I)I");
    if (from_thread != NULL) {
        work->result = (*env)->CallStaticIntMethod(env, self, from_thread, work->number);
        if ((*env)->ExceptionCheck(env)) {
            abort();
        }
        /* Once more: the second call meets what the first one left. */
        work->result += (*env)->CallStaticIntMethod(env, self, from_thread, work->number);
        if ((*env)->ExceptionCheck(env)) {
            abort();
        }
    }
    (*vm)->DetachCurrentThread(vm);
    return NULL;
}

JNIEXPORT jint JNICALL Java_CallsBack_attach(JNIEnv *env, jclass in, jint threads, jboolean daemons) {
    (void)env;
    (void)in;
    struct work *all = calloc((size_t)threads, sizeof *all);
    jint sum = 0;
    for (jint i = 0; all != NULL && i < threads; i++) {
        all[i].number = i;
        all[i].daemon = daemons;
        if (pthread_create(&all[i].thread, NULL, attached, &all[i]) != 0) {
            abort();
        }
    }
    for (jint i = 0; all != NULL && i < threads; i++) {
        pthread_join(all[i].thread, NULL);
        sum += all[i].result;
    }
    free(all);
    return sum;
}

JNIEXPORT jobject JNICALL Java_CallsBack_withoutConstructor(JNIEnv *env, jclass in, jclass of) {
    (void)in;
    return (*env)->AllocObject(env, of);
}

JNIEXPORT jobject JNICALL Java_CallsBack_invoke(JNIEnv *env, jclass in, jobject reflected, jobject object) {
    (void)in;
    jvalue arguments[1];
    arguments[0].i = 17;
    jmethodID method = (*env)->FromReflectedMethod(env, reflected);
    return (*env)->CallObjectMethodA(env, object, method, arguments);
}

JNIEXPORT jobject JNICALL Java_CallsBack_reflect(JNIEnv *env, jclass in, jclass target) {
    (void)in;
    jmethodID method = (*env)->GetMethodID(env, target, "named", "(I)Ljava/lang/String;");
    return method == NULL ? NULL : (*env)->ToReflectedMethod(env, target, method, JNI_FALSE);
}

JNIEXPORT jint JNICALL Java_CallsBack_changeFields(JNIEnv *env, jobject object, jint by) {
    jclass of = (*env)->GetObjectClass(env, object);
    jfieldID field = (*env)->GetFieldID(env, of, "field", "I");
    jfieldID text = field == NULL ? NULL : (*env)->GetStaticFieldID(env, of, "text", "Ljava/lang/String;");
    if (text == NULL) {
        return -1;
    }
    (*env)->SetIntField(env, object, field, (*env)->GetIntField(env, object, field) + by);
    (*env)->SetStaticObjectField(env, of, text, (*env)->NewStringUTF(env, "changed"));
    return by;
}

JNIEXPORT jlong JNICALL Java_CallsBack_sum(JNIEnv *env, jclass in, jintArray numbers) {
    (void)in;
    jsize length = (*env)->GetArrayLength(env, numbers);
    jint *elements = (*env)->GetPrimitiveArrayCritical(env, numbers, NULL);
    jlong sum = 0;
    for (jsize i = 0; elements != NULL && i < length; i++) {
        sum += elements[i];
    }
    if (elements != NULL) {
        (*env)->ReleasePrimitiveArrayCritical(env, numbers, elements, JNI_ABORT);
    }
    return sum;
}

JNIEXPORT jobject JNICALL Java_CallsBack_direct(JNIEnv *env, jclass in, jint size) {
    (void)in;
    static int32_t memory[64] = {1, 2, 3};
    return (*env)->NewDirectByteBuffer(env, memory, size);
}

JNIEXPORT jint JNICALL Java_CallsBack_locked(JNIEnv *env, jobject object) {
    jclass thread = (*env)->FindClass(env, "java/lang/Thread");
    jmethodID holds = thread == NULL ? NULL
        : (*env)->GetStaticMethodID(env, thread, "holdsLock", "(Ljava/lang/Object;)Z");
    return holds == NULL ? -1 : (*env)->CallStaticBooleanMethod(env, thread, holds, object);
}

JNIEXPORT jint JNICALL Java_CallsBack_entered(JNIEnv *env, jclass in, jobject monitor) {
    (void)in;
    if ((*env)->MonitorEnter(env, monitor) != JNI_OK) {
        return -1;
    }
    jint held = Java_CallsBack_locked(env, monitor);
    (*env)->MonitorExit(env, monitor);
    return held;
}

JNIEXPORT jint JNICALL Java_CallsBack_fails(JNIEnv *env, jclass in) {
    (void)in;
    jclass arithmetic = (*env)->FindClass(env, "java/lang/ArithmeticException");
    if (arithmetic != NULL) {
        (*env)->ThrowNew(env, arithmetic, "native");
    }
    return 0;
}
