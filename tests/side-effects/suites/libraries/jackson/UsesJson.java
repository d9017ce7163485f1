import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.module.blackbird.BlackbirdModule;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Beans, records and trees to text and back, with accessors that are generated. */
public final class UsesJson {
    private UsesJson() {
    }

    public enum Colour {
        RED, GREEN
    }

    public record Row(boolean flag, char letter, short medium, byte small, List<Integer> numbers) {
    }

    public static final class Fixed {
        private final boolean flag;
        private final long large;

        @JsonCreator
        public Fixed(@JsonProperty("flag") boolean flag, @JsonProperty("large") long large) {
            this.flag = flag;
            this.large = large;
        }

        public boolean isFlag() {
            return flag;
        }

        public long getLarge() {
            return large;
        }
    }

    public static class Bean {
        private boolean flag;
        private char letter;
        private int number;
        private long large;
        private float single;
        private double twice;
        private Boolean box;
        private String text;
        private Colour colour;
        private Row row;
        private Fixed fixed;
        public short open;
        public byte[] bytes;
        public Map<String, Object> map = new TreeMap<>();

        public boolean isFlag() {
            return flag;
        }

        public void setFlag(boolean flag) {
            this.flag = flag;
        }

        public char getLetter() {
            return letter;
        }

        public void setLetter(char letter) {
            this.letter = letter;
        }

        public int getNumber() {
            return number;
        }

        public void setNumber(int number) {
            this.number = number;
        }

        public long getLarge() {
            return large;
        }

        public void setLarge(long large) {
            this.large = large;
        }

        public float getSingle() {
            return single;
        }

        public void setSingle(float single) {
            this.single = single;
        }

        public double getTwice() {
            return twice;
        }

        public void setTwice(double twice) {
            this.twice = twice;
        }

        public Boolean getBox() {
            return box;
        }

        public void setBox(Boolean box) {
            this.box = box;
        }

        public String getText() {
            return text;
        }

        public void setText(String text) {
            this.text = text;
        }

        public Colour getColour() {
            return colour;
        }

        public void setColour(Colour colour) {
            this.colour = colour;
        }

        public Row getRow() {
            return row;
        }

        public void setRow(Row row) {
            this.row = row;
        }

        public Fixed getFixed() {
            return fixed;
        }

        public void setFixed(Fixed fixed) {
            this.fixed = fixed;
        }
    }

    public static void main(String[] args) throws Exception {
        ObjectMapper mapper = new ObjectMapper().registerModule(new BlackbirdModule())
            .configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
        long hash = 0;
        String last = null;
        for (int i = 0; i < 3000; i++) {
            Bean bean = new Bean();
            bean.setFlag(i % 2 == 0);
            bean.setLetter((char) ('a' + i % 26));
            bean.setNumber(i);
            bean.setLarge(i * 1L << 34);
            bean.setSingle(i / 4f);
            bean.setTwice(i / 3d);
            bean.setBox(i % 3 == 0 ? null : Boolean.valueOf(i % 3 == 1));
            bean.setText("text \u20ac\n" + i);
            bean.setColour(Colour.values()[i % 2]);
            bean.setRow(new Row(i % 5 == 0, 'r', (short) i, (byte) i, List.of(i, -i)));
            bean.setFixed(new Fixed(i % 7 == 0, i));
            bean.open = (short) -i;
            bean.bytes = new byte[] {1, (byte) i};
            bean.map.put("k" + i % 3, i % 2 == 0 ? (Object) true : List.of('c', 1.5));
            last = mapper.writeValueAsString(bean);
            Bean read = mapper.readValue(last, Bean.class);
            String again = mapper.writeValueAsString(read);
            JsonNode tree = mapper.valueToTree(read);
            if (!again.equals(last) || !mapper.treeToValue(tree, Bean.class).getRow().equals(bean.getRow())) {
                throw new AssertionError(again + " instead of " + last);
            }
            hash = hash * 31 + again.hashCode() + tree.hashCode() % 2;
        }
        System.out.println(last);
        System.out.println("jackson " + mapper.readTree("{\"a\":[1,2,{\"b\":true}]}").at("/a/2/b").asBoolean());
    }
}
