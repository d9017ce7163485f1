package io.netty.channel;

public interface ChannelHandlerContext {
}
