import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.StackFrame;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.ExceptionEvent;
import com.sun.jdi.event.LocatableEvent;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.MethodExitRequest;
import com.sun.jdi.request.StepRequest;
import java.util.List;
import java.util.Map;

/**
 * A debugger: stops in every line of {@code Debugged}, prints the stack and the locals, steps from
 * line to line of its own code, and follows entries, exits and exceptions. The arguments are the home of
 * the debugged JVM, its options, and its main class with the arguments of that, which runs {@code Debugged}.
 */
public final class Debugs {
    private final VirtualMachine machine;
    private int steps;

    private Debugs(VirtualMachine machine) {
        this.machine = machine;
    }

    public static void main(String[] args) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(args[2]);
        arguments.get("home").setValue(args[0]);
        arguments.get("options").setValue(args[1]);
        new Debugs(connector.launch(arguments)).follow();
    }

    private void follow() throws Exception {
        EventRequestManager requests = machine.eventRequestManager();
        var prepare = requests.createClassPrepareRequest();
        prepare.addClassFilter("Debugged");
        prepare.enable();
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    handle(event);
                }
                events.resume();
            }
        } catch (VMDisconnectedException ended) {
            machine.process().getInputStream().transferTo(System.out);
            machine.process().getErrorStream().transferTo(System.out);
            System.out.println("ended with " + machine.process().waitFor() + " after " + steps + " steps");
        }
    }

    private void handle(Event event) throws Exception {
        EventRequestManager requests = machine.eventRequestManager();
        if (event instanceof ClassPrepareEvent prepared) {
            List<Location> lines = prepared.referenceType().allLineLocations();
            for (Location line : lines) {
                requests.createBreakpointRequest(line).enable();
            }
            System.out.println(prepared.referenceType().name() + " has code in lines "
                + lines.stream().map(Location::lineNumber).sorted().distinct().toList());
            MethodEntryRequest entries = requests.createMethodEntryRequest();
            entries.addClassFilter("Debugged");
            entries.enable();
            MethodExitRequest exits = requests.createMethodExitRequest();
            exits.addClassFilter("Debugged");
            exits.enable();
            var exceptions = requests.createExceptionRequest(null, true, true);
            exceptions.addClassFilter("Debugged");
            exceptions.enable();
        } else if (event instanceof BreakpointEvent stopped) {
            print("breakpoint", stopped);
            for (StackFrame frame : stopped.thread().frames()) {
                System.out.println("  in " + where(frame.location()) + " " + locals(frame));
            }
            if (requests.stepRequests().isEmpty()) {
                StepRequest step = requests.createStepRequest(stopped.thread(), StepRequest.STEP_LINE, StepRequest.STEP_INTO);
                step.addClassExclusionFilter("java.*");
                step.addClassExclusionFilter("jdk.*");
                step.addClassExclusionFilter("sun.*");
                // Code without lines is stepped through by bytecode, and has more of them when recorded.
                step.addClassExclusionFilter("Debugged$$*");
                step.enable();
            }
        } else if (event instanceof StepEvent step) {
            steps++;
            print("step", step);
        } else if (event instanceof MethodEntryEvent entered) {
            print("entry of " + entered.method().name(), entered);
        } else if (event instanceof MethodExitEvent left) {
            print("exit of " + left.method().name() + " with " + left.returnValue().type(), left);
        } else if (event instanceof ExceptionEvent thrown) {
            print("exception " + thrown.exception().type() + " caught at " + where(thrown.catchLocation()), thrown);
        }
    }

    private static void print(String what, LocatableEvent event) throws Exception {
        System.out.println(what + " at " + event.location() + " depth " + event.thread().frameCount());
    }

    private static String where(Location location) {
        return location.lineNumber() < 0 ? "code without lines" : location.toString();
    }

    private static String locals(StackFrame frame) {
        StringBuilder text = new StringBuilder();
        try {
            for (LocalVariable variable : frame.visibleVariables()) {
                String value = String.valueOf(frame.getValue(variable)).replaceAll("id=\\d+", "id")
                    .replaceAll("Lambda.*", "Lambda");
                text.append(variable.name()).append('=').append(value).append(' ');
            }
        } catch (AbsentInformationException none) {
            text.append("no names");
        }
        return text.toString();
    }
}
