// For whom the JDK works: the nearest method that is not the JDK's, with its share.

/** Parts that are listed of everything; of a row, all that there are. */
const USERS_LISTED = 5;
/** Smaller shares are not named in a cell. */
const USERS_NAMED = 0.05;

/** Parts that are for no method. */
const OTHER_USERS = { start_up: "start-up", jdk: "the JDK alone" };

/** The name of a part, which leads to its method. */
function userName(profile, { whom, method }) {
  if (whom === "method") return namedMethod(profile, method);
  return element("span.quiet", null, OTHER_USERS[whom]);
}

/** Of an estimate nobody knows the digits behind the point. */
function userShare(share, isEstimate) {
  if (!isEstimate) return percent(share, 1);
  const whole = Math.round(100 * share);
  if (whole === 0) return "<1%";
  return whole === 100 && share < 0.999999 ? ">99%" : `${whole}%`;
}

/** The greatest part, and where that is not for a method, the greatest one that is. */
function usersInCell(parts) {
  if (parts.length === 0 || parts[0].whom === "method") return parts.slice(0, 1);
  const next = parts.find(({ whom, share }) => whom === "method" && share >= USERS_NAMED);
  return next ? [parts[0], next] : parts.slice(0, 1);
}

/** The column that says for whom a row is; none if no row is for others. */
function forWhomColumn(profile, rows) {
  if (!rows.some((row) => row.for?.length > 0)) return [];
  const name = ({ whom, method }) =>
    whom === "method" ? `${method.class}.${method.name}` : OTHER_USERS[whom];
  const cell = (row) => {
    const parts = row.for ?? [];
    const isAll = parts.length === 1 && parts[0].share > 0.9999;
    return element(
      "span.for",
      { title: parts.map((part) => `${userShare(part.share, true)} ${name(part)}`).join("\n") || null },
      usersInCell(parts).map((part, at) => [
        at > 0 && ", ",
        userName(profile, part),
        !isAll && element("span.number", null, ` ${userShare(part.share, true)}`),
      ]),
    );
  };
  return [
    {
      id: "for",
      title: "For",
      kind: "text",
      hint: "Where a method of the JDK does it: the nearest method above that is not the JDK's, with its share",
      value: (row) => (row.for?.length > 0 ? name(row.for[0]).toLowerCase() : null),
      cell,
    },
  ];
}

/** All parts of some shares, the greatest first; nothing without any. */
function listOfUsers(profile, title, parts, isEstimate) {
  if (!parts || parts.length === 0) return null;
  return [
    element("h3", null, `${title}${isEstimate ? " (estimate)" : ""}`),
    element(
      "ol.users.plain",
      null,
      parts.map((part) =>
        element(
          "li",
          null,
          element("span.number", null, userShare(part.share, isEstimate)),
          " ",
          userName(profile, part),
        ),
      ),
    ),
  ];
}

/** For whom a row is, below it; where it is for one alone, the row says so. */
function usersOfRow(profile, row) {
  if (!row.for || row.for.length < 2) return null;
  return listOfUsers(profile, "For whom", row.for, row.for_is_estimate);
}

/** For whom everything in a table is, where a row is for others. */
function usersOfAll(profile, data, rows, of) {
  if (of === undefined || forWhomColumn(profile, rows).length === 0) return null;
  const title = `For whom, of the ${of}: the nearest method that is not the JDK's`;
  const parts = data.for_whom.slice(0, USERS_LISTED);
  return listOfUsers(profile, title, parts, data.for_whom_is_estimate);
}

/** How much happens once, in words; nothing if nothing is left out for it. */
function startInWords(start, data, metric) {
  const share = percent(Number(start.cost), Number(start.of));
  if (!start.is_left_out) return `Start-up and first calls are ${share} of the ${metric}, so nothing is left out.`;
  const [sites, candidates] = [start.temporaries, start.candidates].map((count) => Number(count ?? -1));
  if (sites === 0 || candidates === 0) return null;
  if (sites > 0) {
    return `Sites of start-up and first calls alone: ${percent(sites, Number(data.temporaries))} of these, left out`;
  }
  if (candidates > 0) {
    return `Start-up and first calls: ${counted(candidates, "candidate")} that nothing else calls, left out`;
  }
  return `Start-up and first calls: ${share} of the ${metric}, left out`;
}

/** How much of a table happens once, in a line; nothing if that counts, or nothing does. */
function startLine(data, metric) {
  const start = data.start_up;
  const words = start && Number(start.cost) > 0 && startInWords(start, data, metric);
  if (!words) return null;
  return element(
    "p.start.quiet",
    null,
    words,
    start.is_left_out && ["; ", element("code", null, "subsume report --with-start"), " shows them"],
  );
}
