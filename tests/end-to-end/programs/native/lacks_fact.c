/*
 * Makes the JVM lack a fact that HotSpot tells of itself, as a release does that has changed it:
 * an agent that is loaded before ours, with the fact's name as its option. "Type.field" and
 * "Type" go from the descriptions of structures and types, another name from the table of flags.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jvmti.h>
#include <stdint.h>
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

static void rename_at(const char **place) {
    uintptr_t page = (uintptr_t) place & ~((uintptr_t) sysconf(_SC_PAGESIZE) - 1);
    mprotect((void *) page, (uintptr_t) (place + 1) - page, PROT_READ | PROT_WRITE);
    *place = "gone";
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
    (void) vm;
    (void) reserved;
    void *jvm = dlopen("libjvm.so", RTLD_LAZY | RTLD_NOLOAD);
    struct field *fields = *(struct field **) dlsym(jvm, "gHotSpotVMStructs");
    struct type *types = *(struct type **) dlsym(jvm, "gHotSpotVMTypes");

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
    for (; types->type_name != NULL; types++) {
        if (strcmp(types->type_name, "JVMFlag") == 0) {
            break;
        }
    }
    if (strcmp(fact, "JVMFlag") == 0) {
        rename_at(&types->type_name);
        return JNI_OK;
    }
    char *flag = *(char **) find_field(fields, "JVMFlag", "flags")->address;
    size_t count = *(size_t *) find_field(fields, "JVMFlag", "numFlags")->address;
    uint64_t name = find_field(fields, "JVMFlag", "_name")->offset;
    for (; count > 0; count--, flag += types->size) {
        const char **place = (const char **) (flag + name);
        if (*place != NULL && strcmp(*place, fact) == 0) {
            rename_at(place);
            return JNI_OK;
        }
    }
    return JNI_ERR;
}
