import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Struct;
import com.google.protobuf.TextFormat;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.Value;
import java.util.Arrays;

/** Messages of a type that is made at run time, and generated ones. */
public final class UsesMessages {
    private UsesMessages() {
    }

    private static FieldDescriptorProto field(String name, int number, Type type, Label label) {
        return FieldDescriptorProto.newBuilder().setName(name).setNumber(number).setType(type).setLabel(label).build();
    }

    public static void main(String[] args) throws Exception {
        Type[] types = {Type.TYPE_BOOL, Type.TYPE_INT32, Type.TYPE_SINT64, Type.TYPE_FIXED32, Type.TYPE_FLOAT,
            Type.TYPE_DOUBLE, Type.TYPE_STRING, Type.TYPE_BYTES};
        DescriptorProto.Builder type = DescriptorProto.newBuilder().setName("All");
        for (int i = 0; i < types.length; i++) {
            type.addField(field("one" + i, i + 1, types[i], Label.LABEL_OPTIONAL));
            type.addField(field("many" + i, i + 101, types[i], Label.LABEL_REPEATED));
        }
        type.addField(field("next", 50, Type.TYPE_MESSAGE, Label.LABEL_OPTIONAL).toBuilder().setTypeName("All"));
        type.addField(field("kind", 51, Type.TYPE_ENUM, Label.LABEL_OPTIONAL).toBuilder().setTypeName("Kind"));
        FileDescriptorProto file = FileDescriptorProto.newBuilder().setName("all.proto").setSyntax("proto3").addMessageType(type)
            .addEnumType(EnumDescriptorProto.newBuilder().setName("Kind")
                .addValue(EnumValueDescriptorProto.newBuilder().setName("NONE").setNumber(0))
                .addValue(EnumValueDescriptorProto.newBuilder().setName("SOME").setNumber(1))).build();
        FileDescriptor built = FileDescriptor.buildFrom(file, new FileDescriptor[0]);
        Descriptor all = built.findMessageTypeByName("All");
        FieldDescriptor kind = all.findFieldByName("kind");
        int hash = 0;
        for (int i = 0; i < 700; i++) {
            Object[] values = {i % 2 == 0, i, -i * 7919L, i, i / 3f, i / 7d, "text " + i, ByteString.copyFromUtf8("bytes" + i)};
            DynamicMessage.Builder builder = DynamicMessage.newBuilder(all);
            for (int at = 0; at < values.length; at++) {
                builder.setField(all.findFieldByName("one" + at), values[at]);
                for (int times = 0; times < i % 4; times++) {
                    builder.addRepeatedField(all.findFieldByName("many" + at), values[at]);
                }
            }
            builder.setField(kind, kind.getEnumType().findValueByNumber(i % 2));
            if (i % 3 == 0) {
                builder.setField(all.findFieldByName("next"), builder.build());
            }
            DynamicMessage message = builder.build();
            byte[] bytes = message.toByteArray();
            DynamicMessage read = DynamicMessage.parseFrom(all, bytes);
            if (!read.equals(message)) {
                throw new AssertionError(read.toString());
            }
            DynamicMessage.Builder merged = DynamicMessage.newBuilder(all);
            TextFormat.merge(TextFormat.printer().printToString(message), merged);
            hash = hash * 31 + Arrays.hashCode(bytes) + merged.build().toString().hashCode()
                + UnknownFieldSet.parseFrom(bytes).getSerializedSize();
        }
        Struct struct = Struct.newBuilder().putFields("a", Value.newBuilder().setBoolValue(true).build())
            .putFields("b", Value.newBuilder().setNumberValue(2.5).build()).build();
        System.out.println(Struct.parseFrom(struct.toByteString()) + " " + Timestamp.newBuilder().setSeconds(7).build());
        System.out.println("protobuf " + hash);
    }
}
