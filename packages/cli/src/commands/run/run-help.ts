// What "roost run --help" says beyond its options. Scripts rely on the exit codes.

export const RUN_HELP = `
When it asks for something that no rule decides:
  wait   says on standard error how to answer ("roost allow …"), and waits until the ask runs out
  deny   refuses it at once, tells the agent so, and lets it go on without; questions get no answer
  fail   refuses the first one and ends the run

Exit codes:
    0  the agent is done, also where it was refused something on the way
    1  something else failed, such as the runner ending
    2  it was called wrongly
    3  it could not start: no such agent, folder or session, or no runner
    4  the agent failed, or ended before it was done
    5  an ask was refused or unanswered and the agent could not go on; or the first ask with --on-ask fail
    6  the time of --timeout was over
  130  it was interrupted: by Ctrl-C (twice leaves at once), or because nobody reads its output any more

The session stays on record for "roost feed" and --resume; its agent is let go unless it was there before.

Examples:
  $ roost run "explain this repository"
  $ { echo "Review this change:"; git diff; } | roost run --on-ask fail --timeout 600 > review.md
  $ roost run --resume k3f9 "and now the tests"`;
