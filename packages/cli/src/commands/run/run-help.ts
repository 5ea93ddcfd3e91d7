// What "roost run --help" says beyond its options. Scripts rely on the exit codes.

export const RUN_HELP = `
When the agent asks for something that no rule decides (--on-ask):
  wait   wait until it is answered or expires; in a terminal, answer with
         y (allow), n (deny), a (always allow) or e (edit), or elsewhere
         with "roost allow" and "roost deny"
  deny   refuse it at once, tell the agent so, and let it go on without;
         a question gets no answer
  fail   refuse the first one and end the run

Exit codes:
    0  the agent is done, also where it was refused something on the way
    1  something else failed, such as the runner ending
    2  it was called wrongly
    3  it could not start: no such agent, folder or session, or no runner
    4  the agent failed, or ended before it was done
    5  an ask was refused or unanswered and the agent could not go on;
       with --on-ask fail, the first ask
    6  the time of --timeout was over
    7  the agent reached its turn limit (--max-turns, or sdk.maxTurns in
       config.yaml)
  130  it was interrupted: by Ctrl-C (twice leaves at once), or because nobody
       reads its output any more

The final response is alone on stdout. Progress goes to stderr: tool calls,
and retries of the model at most every 10 seconds; --quiet turns it off.

A prompt has at most 1,048,576 characters, for every agent. The model may
take less: its context window is the agent's to check.

The session stays on record, for "roost feed" and for --resume. Its agent is
let go, unless it was there before.

Examples:
  $ roost run "explain this repository"
  $ roost run --on-ask fail --timeout 600 --json "fix the tests" > run.jsonl
  $ { echo "Review this change:"; git diff main; } | roost run
  $ roost run --resume k3f9 "and now the tests"`;
