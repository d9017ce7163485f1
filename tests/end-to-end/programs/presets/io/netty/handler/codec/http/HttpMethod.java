package io.netty.handler.codec.http;

public final class HttpMethod {
    @Override
    public String toString() {
        return "GET";
    }
}
