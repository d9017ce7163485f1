package jakarta.servlet.http;

public interface HttpServletRequest {
    String getMethod();

    String getRequestURI();
}
