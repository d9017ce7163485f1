//! Native methods in which a thread waits.

use crate::names::method::Method;

/// Class and name. A thread that is seen in one of them mostly takes no processor time;
/// Flight Recorder cannot tell.
const WAITING: [(&str, &str); 27] = [
    ("java.lang.Object", "wait"),
    ("java.lang.Object", "wait0"),
    ("java.lang.ProcessHandleImpl", "waitForProcessExit0"),
    ("java.lang.Thread", "sleep"),
    ("java.lang.Thread", "sleep0"),
    ("java.lang.Thread", "sleepNanos0"),
    ("java.lang.VirtualThread", "takeVirtualThreadListToUnblock"),
    ("java.lang.ref.Reference", "waitForReferencePendingList"),
    ("java.net.PlainDatagramSocketImpl", "receive0"),
    ("java.net.PlainSocketImpl", "socketAccept"),
    ("java.net.SocketInputStream", "socketRead0"),
    ("jdk.internal.misc.Unsafe", "park"),
    ("jdk.internal.misc.Signal", "findSignal0"),
    ("jdk.jfr.internal.JVM", "flush"),
    ("sun.misc.Unsafe", "park"),
    ("sun.nio.ch.DatagramChannelImpl", "receive0"),
    ("sun.nio.ch.EPoll", "wait"),
    ("sun.nio.ch.IOUring", "enter"),
    ("sun.nio.ch.KQueue", "poll"),
    ("sun.nio.ch.Net", "accept"),
    ("sun.nio.ch.Net", "poll"),
    ("sun.nio.ch.PollSelectorImpl", "poll"),
    ("sun.nio.ch.ServerSocketChannelImpl", "accept0"),
    ("sun.nio.ch.SocketDispatcher", "read0"),
    ("sun.nio.ch.UnixDomainSockets", "accept0"),
    ("sun.nio.fs.LinuxWatchService", "poll"),
    ("sun.tools.attach.VirtualMachineImpl", "read"),
];

/// True if a thread whose innermost frame is this method waits.
pub fn is_waiting(method: &Method) -> bool {
    WAITING.contains(&(method.class.as_str(), method.name.as_str()))
}
