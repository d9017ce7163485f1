import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalServerChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import io.netty.util.Recycler;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server and its clients within the process; pooled, direct and composite buffers. */
public final class UsesChannels {
    private UsesChannels() {
    }

    private static final int MESSAGES = 300;

    static class Pipeline extends ChannelInitializer<Channel> {
        final SimpleChannelInboundHandler<String> handler;

        Pipeline(SimpleChannelInboundHandler<String> handler) {
            this.handler = handler;
        }

        @Override protected void initChannel(Channel channel) {
            channel.pipeline().addLast(new LengthFieldBasedFrameDecoder(1 << 16, 0, 4, 0, 4), new LengthFieldPrepender(4),
                new StringDecoder(), new StringEncoder(), handler);
        }
    }

    static class Echoes extends SimpleChannelInboundHandler<String> {
        @Override protected void channelRead0(ChannelHandlerContext context, String message) {
            context.writeAndFlush("echo " + message);
        }

        @Override public boolean isSharable() {
            return true;
        }
    }

    private static long buffers() {
        long sum = 0;
        PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
        for (int i = 0; i < 2000; i++) {
            ByteBuf buffer = i % 2 == 0 ? allocator.directBuffer(64 + i % 500) : allocator.heapBuffer(64 + i % 500);
            buffer.writeBoolean(i % 3 == 0).writeByte(i).writeChar('a' + i % 26).writeShort(i).writeInt(i * 7919);
            buffer.writeLong(i * 1L << 35).writeFloat(i / 3f).writeDoubleLE(i / 7d);
            CompositeByteBuf composite = allocator.compositeBuffer().addComponents(true, buffer, Unpooled.wrappedBuffer(new byte[] {1, 2, 3}));
            sum = sum * 31 + composite.hashCode();
            sum += composite.readBoolean() ? 1 : 2;
            sum += composite.readByte() + composite.readChar() + composite.readShort() + composite.readInt() + composite.readLong();
            sum += (long) composite.readFloat() + (long) composite.readDoubleLE() + composite.readUnsignedMedium();
            composite.release();
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(buffers());
        EventLoopGroup group = new DefaultEventLoopGroup(2);
        LocalAddress address = new LocalAddress("here");
        Channel server = new ServerBootstrap().group(group).channel(LocalServerChannel.class)
            .childHandler(new Pipeline(new Echoes())).bind(address).sync().channel();
        long[] sums = new long[4];
        for (int client = 0; client < sums.length; client++) {
            int number = client;
            CountDownLatch received = new CountDownLatch(MESSAGES);
            Channel channel = new Bootstrap().group(group).channel(LocalChannel.class)
                .handler(new Pipeline(new SimpleChannelInboundHandler<String>() {
                    @Override protected void channelRead0(ChannelHandlerContext context, String message) {
                        sums[number] = sums[number] * 31 + message.hashCode();
                        received.countDown();
                    }
                })).connect(address).sync().channel();
            for (int i = 0; i < MESSAGES; i++) {
                channel.writeAndFlush("message " + client + " " + i);
            }
            System.out.println(received.await(60, TimeUnit.SECONDS) + " " + sums[client]);
            channel.close().sync();
        }
        FastThreadLocal<Integer> local = new FastThreadLocal<>() {
            @Override protected Integer initialValue() {
                return 42;
            }
        };
        Recycler<StringBuilder> recycler = new Recycler<>() {
            @Override protected StringBuilder newObject(Handle<StringBuilder> handle) {
                return new StringBuilder("new");
            }
        };
        String later = group.schedule(() -> "later " + local.get() + recycler.get(), 5, TimeUnit.MILLISECONDS).get();
        server.close().sync();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        System.out.println("netty " + later);
    }
}
