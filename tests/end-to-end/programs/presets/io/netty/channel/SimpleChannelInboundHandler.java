package io.netty.channel;

public abstract class SimpleChannelInboundHandler {
    public void channelRead(ChannelHandlerContext context, Object message) {
        channelRead0(context, message);
    }

    protected abstract void channelRead0(ChannelHandlerContext context, Object message);
}
