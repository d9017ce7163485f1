package io.netty.handler.codec.http;

public final class DefaultHttpRequest {
    private final String uri;

    public DefaultHttpRequest(String uri) {
        this.uri = uri;
    }

    public HttpMethod method() {
        return new HttpMethod();
    }

    public String uri() {
        return uri;
    }
}
