package org.apache.kafka.clients.producer;

public interface Callback {
}
