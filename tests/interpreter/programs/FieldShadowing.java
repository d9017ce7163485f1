/** The same site under many receivers, so that contexts share slots. */
class FieldShadowing {
    static class Holder { Object[] store; Holder() { store = new Object[2]; } void put(Object o) { store[0] = o; } Object get() { return store[0]; } Holder child() { return new Holder(); } }

    public static void main(String[] args) {
        Holder a = new Holder(), b = new Holder(), c = new Holder(), d = new Holder(), e = new Holder(), f = new Holder();
        Holder[] all = {a, b, c, d, e, f, a.child(), b.child().child()};
        for (int i = 0; i < all.length; i++) all[i].put(i == 0 ? new Object() : all[i - 1].get());
        Object last = all[all.length - 1].get();
        System.out.println(last == a.get());
    }
}
