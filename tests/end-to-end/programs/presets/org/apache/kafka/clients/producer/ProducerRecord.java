package org.apache.kafka.clients.producer;

public final class ProducerRecord {
    private final String topic;

    public ProducerRecord(String topic) {
        this.topic = topic;
    }

    public String topic() {
        return topic;
    }
}
