/** Objects that return themselves, and a builder that is thrown away. */
class Builders {
    static class Person { String name; int age; Object boss; }
    static class Builder {
        String name; int age; Object boss;
        Builder name(String n) { name = n; return this; }
        Builder age(int a) { age = a; return this; }
        Builder boss(Object b) { boss = b; return this; }
        Person build() { Person p = new Person(); p.name = name; p.age = age; p.boss = boss; return p; }
    }

    public static void main(String[] args) {
        Person boss = null;
        for (int i = 0; i < 5; i++) boss = new Builder().name("p").age(i).boss(boss).build();
        System.out.println(boss.age + boss.name);
    }
}
