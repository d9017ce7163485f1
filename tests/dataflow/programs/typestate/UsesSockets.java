import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;

/** What programs do with sockets, rightly and wrongly; each method makes its own. */
public class UsesSockets {
    private static Object kept;

    public static void main(String[] arguments) throws IOException {
        connects();
        neverCloses();
        usesAfterClose();
        opensChannel();
    }

    private static void connects() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 5, here);
                Socket client = new Socket(here, server.getLocalPort());
                Socket accepted = server.accept()) {
            client.getOutputStream().write(7);
            System.out.println(accepted.getInputStream().read());
        }
    }

    private static void neverCloses() throws IOException {
        kept = new DatagramSocket();
    }

    private static void usesAfterClose() throws IOException {
        Socket socket = new Socket();
        socket.close();
        try {
            socket.getInputStream();
        } catch (IOException e) {
            System.out.println("closed");
        }
    }

    private static void opensChannel() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.close();
        try {
            channel.finishConnect();
        } catch (IOException e) {
            System.out.println("closed");
        }
    }
}
