package org.springframework.web.method.support;

import org.springframework.web.context.request.NativeWebRequest;

public class InvocableHandlerMethod {
    private final String description;

    public InvocableHandlerMethod(String description) {
        this.description = description;
    }

    public Object invokeForRequest(NativeWebRequest request, Object container, Object... provided) {
        return description.length();
    }

    @Override
    public String toString() {
        return description;
    }
}
