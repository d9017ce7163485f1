/** Virtual calls of every kind: overridden, inherited, abstract, super, final, private, static with the same name. */
public class Inheritance {
    abstract static class Animal {
        abstract String sound();

        String speak(int n) {
            String said = "";
            for (int i = 0; i < n; i++) {
                said += sound();
            }
            return said;
        }

        final int legs() {
            return count() * 2;
        }

        protected int count() {
            return 2;
        }

        static String kind() {
            return "animal";
        }

        private String whisper() {
            return "a" + sound();
        }

        String whispers() {
            return whisper();
        }
    }

    static class Dog extends Animal {
        @Override
        String sound() {
            return "wuff";
        }

        static String kind() {
            return "dog";
        }

        private String whisper() {
            return "d";
        }

        @Override
        public String toString() {
            return super.toString().startsWith("Inheritance") + whisper();
        }
    }

    static final class Puppy extends Dog {
        @Override
        String sound() {
            return "w" + super.sound();
        }

        @Override
        protected int count() {
            return super.count() - 1;
        }
    }

    public static void main(String[] args) {
        Animal[] animals = {new Dog(), new Puppy(), new Animal() {
            @Override
            String sound() {
                return "?";
            }
        }};
        for (int i = 0; i < 9; i++) {
            Animal animal = animals[i % 3];
            System.out.print(animal.speak(i % 4) + animal.legs() + animal.whispers() + (i == 1 ? animal : ""));
        }
        System.out.println(Animal.kind() + Dog.kind());
    }
}
