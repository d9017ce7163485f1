/*
 * Makes the JVM lack a fact that HotSpot tells of itself, as a release does that has changed it:
 * an agent that is loaded before ours, with the fact's name as its option. "Type.field" and
 * "Type" go from the descriptions of structures and types, another name from the table of flags.
 * "double FLAG" makes a flag one of that type, "stride" has the description lack the distance of
 * its entries, "layout" lays it out in another way that it tells rightly, and "offsets" has the
 * JVM take one field for another.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jvmti.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct field {
    const char *type_name;
    const char *field_name;
    const char *type_string;
    int32_t is_static;
    uint64_t offset;
    void *address;
};

struct type {
    const char *type_name;
    const char *superclass_name;
    int32_t is_oop_type;
    int32_t is_integer_type;
    int32_t is_unsigned;
    uint64_t size;
};

static void make_writable(void *place, size_t bytes) {
    uintptr_t page = (uintptr_t) place & ~((uintptr_t) sysconf(_SC_PAGESIZE) - 1);
    mprotect((void *) page, (uintptr_t) place + bytes - page, PROT_READ | PROT_WRITE);
}

static void rename_at(const char **place) {
    make_writable(place, sizeof *place);
    *place = "gone";
}

static void export_number(void *jvm, const char *name, uint64_t value) {
    uint64_t *place = dlsym(jvm, name);
    make_writable(place, sizeof *place);
    *place = value;
}

/* In the reverse order of members, with some room behind them. */
struct other_field {
    void *address;
    uint64_t offset;
    uint64_t is_static;
    const char *type_string;
    const char *field_name;
    const char *type_name;
    uint64_t room[3];
};

static void lay_out_anew(void *jvm, struct field *fields) {
    size_t count = 0;
    while (fields[count].type_name != NULL) {
        count++;
    }
    struct other_field *others = calloc(count + 1, sizeof *others);
    for (size_t i = 0; i < count; i++) {
        others[i] = (struct other_field) {
            .address = fields[i].address, .offset = fields[i].offset,
            .is_static = (uint64_t) fields[i].is_static, .type_string = fields[i].type_string,
            .field_name = fields[i].field_name, .type_name = fields[i].type_name,
        };
    }
    export_number(jvm, "gHotSpotVMStructs", (uint64_t) (uintptr_t) others);
    export_number(jvm, "gHotSpotVMStructEntryTypeNameOffset", offsetof(struct other_field, type_name));
    export_number(jvm, "gHotSpotVMStructEntryFieldNameOffset", offsetof(struct other_field, field_name));
    export_number(jvm, "gHotSpotVMStructEntryTypeStringOffset", offsetof(struct other_field, type_string));
    export_number(jvm, "gHotSpotVMStructEntryIsStaticOffset", offsetof(struct other_field, is_static));
    export_number(jvm, "gHotSpotVMStructEntryOffsetOffset", offsetof(struct other_field, offset));
    export_number(jvm, "gHotSpotVMStructEntryAddressOffset", offsetof(struct other_field, address));
    export_number(jvm, "gHotSpotVMStructEntryArrayStride", sizeof(struct other_field));
}

static jobject (JNICALL *to_reflected)(JNIEnv *, jclass, jfieldID, jboolean);

static jobject JNICALL to_another(JNIEnv *env, jclass class, jfieldID field, jboolean is_static) {
    jclass thread = (*env)->FindClass(env, "java/lang/Thread");
    jfieldID priority = (*env)->GetFieldID(env, thread, "tid", "J");
    jfieldID other = is_static ? field : priority == field
        ? (*env)->GetFieldID(env, thread, "name", "Ljava/lang/String;") : priority;
    return to_reflected(env, class, other, is_static);
}

static void JNICALL vm_start(jvmtiEnv *jvmti, JNIEnv *env) {
    (void) env;
    jniNativeInterface *functions;
    (*jvmti)->GetJNIFunctionTable(jvmti, &functions);
    to_reflected = functions->ToReflectedField;
    functions->ToReflectedField = to_another;
    (*jvmti)->SetJNIFunctionTable(jvmti, functions);
}

static jint confuse_fields(JavaVM *vm) {
    jvmtiEnv *jvmti;
    if ((*vm)->GetEnv(vm, (void **) &jvmti, JVMTI_VERSION_11) != JNI_OK) {
        return JNI_ERR;
    }
    jvmtiEventCallbacks callbacks = {.VMStart = vm_start};
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_START, NULL);
    return JNI_OK;
}

static struct field *find_field(struct field *fields, const char *type, const char *name) {
    for (; fields->type_name != NULL; fields++) {
        if (strcmp(fields->type_name, type) == 0 && strcmp(fields->field_name, name) == 0) {
            return fields;
        }
    }
    return NULL;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *fact, void *reserved) {
    (void) reserved;
    void *jvm = dlopen("libjvm.so", RTLD_LAZY | RTLD_NOLOAD);
    struct field *fields = *(struct field **) dlsym(jvm, "gHotSpotVMStructs");
    struct type *types = *(struct type **) dlsym(jvm, "gHotSpotVMTypes");

    if (strcmp(fact, "stride") == 0) {
        export_number(jvm, "gHotSpotVMStructEntryArrayStride", 0);
        return JNI_OK;
    }
    if (strcmp(fact, "layout") == 0) {
        lay_out_anew(jvm, fields);
        return JNI_OK;
    }
    if (strcmp(fact, "offsets") == 0) {
        return confuse_fields(vm);
    }
    int changes_type = strncmp(fact, "double ", 7) == 0;
    if (changes_type) {
        fact += 7;
    }

    char type[64] = {0};
    const char *dot = strchr(fact, '.');
    if (dot != NULL) {
        memcpy(type, fact, (size_t) (dot - fact));
        struct field *field = find_field(fields, type, dot + 1);
        if (field == NULL) {
            return JNI_ERR;
        }
        rename_at(&field->field_name);
        return JNI_OK;
    }
    uint64_t flag_size = 0;
    for (; types->type_name != NULL; types++) {
        if (strcmp(types->type_name, fact) == 0) {
            rename_at(&types->type_name);
            return JNI_OK;
        }
        if (strcmp(types->type_name, "JVMFlag") == 0) {
            flag_size = types->size;
        }
    }
    char *flag = *(char **) find_field(fields, "JVMFlag", "flags")->address;
    size_t count = *(size_t *) find_field(fields, "JVMFlag", "numFlags")->address;
    uint64_t name = find_field(fields, "JVMFlag", "_name")->offset;
    uint64_t type_of = find_field(fields, "JVMFlag", "_type")->offset;
    for (; count > 0; count--, flag += flag_size) {
        const char **place = (const char **) (flag + name);
        if (*place != NULL && strcmp(*place, fact) == 0) {
            if (changes_type) {
                make_writable(flag + type_of, sizeof(int32_t));
                *(int32_t *) (flag + type_of) = 7;
            } else {
                rename_at(place);
            }
            return JNI_OK;
        }
    }
    return JNI_ERR;
}
