package app;

import com.thoughtworks.xstream.XStream;
import com.thoughtworks.xstream.io.xml.DomDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import office.Office;

/** The staff of an office is kept as XML, written and read by XStream. */
public final class Xstream342 {
    /** Somebody who works here. */
    public static final class Member {
        String name;
        String desk;
        int hours;
        boolean abroad;
    }

    /** All of them. */
    public static final class Staff {
        String office;
        List<Member> members = new ArrayList<>();
    }

    private static final XStream XSTREAM = new XStream(new DomDriver());

    static {
        XSTREAM.allowTypes(new Class<?>[] {Member.class, Staff.class});
        XSTREAM.alias("member", Member.class);
        XSTREAM.alias("staff", Staff.class);
    }

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(read(XSTREAM.toXML(staff(new Random(day)))));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static Staff staff(Random random) {
        Staff staff = new Staff();
        staff.office = "office " + random.nextInt(12);
        for (int number = 0; number < 280; number++) {
            Member member = new Member();
            member.name = "member " + random.nextInt(4_000);
            member.desk = "desk " + random.nextInt(90);
            member.hours = 10 + random.nextInt(30);
            member.abroad = random.nextInt(9) == 0;
            staff.members.add(member);
        }
        return staff;
    }

    private static long read(String xml) {
        Staff staff = (Staff) XSTREAM.fromXML(xml);
        long sum = staff.office.hashCode();
        for (Member member : staff.members) {
            sum = sum * 31 + member.name.length() + member.hours + (member.abroad ? 1 : 0) + member.desk.hashCode();
        }
        return sum;
    }
}
