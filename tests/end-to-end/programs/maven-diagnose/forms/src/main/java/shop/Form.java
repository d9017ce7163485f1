package shop;

/** Has no tests. */
public interface Form {}
