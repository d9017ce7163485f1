/** Threads that run one after another and hand objects on. */
class ThreadsInTurn {
    static Object shared; int[] result = new int[4];

    static class Worker extends Thread {
        final int number; final ThreadsInTurn out; Object found;
        Worker(int n, ThreadsInTurn o) { number = n; out = o; }
        public void run() { found = shared; shared = new int[] {number}; out.result[number] = ((int[]) shared)[0]; }
    }

    static class Task implements Runnable {
        final Object given; Object taken;
        Task(Object g) { given = g; }
        public void run() { taken = given; shared = this; }
    }

    public static void main(String[] args) throws InterruptedException {
        ThreadsInTurn t = new ThreadsInTurn();
        for (int i = 0; i < 3; i++) { Worker w = new Worker(i, t); w.start(); w.join(); }
        Task task = new Task(shared);
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
        Thread last = new Thread(() -> shared = task.taken);
        last.start();
        last.join();
        System.out.println(t.result[2] + ((int[]) shared)[0]);
    }
}
