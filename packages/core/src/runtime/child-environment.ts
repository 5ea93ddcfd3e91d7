// Which of Roost's own variables a program that Roost starts gets. Everything that starts one takes its environment from here.

type Environment = Readonly<Record<string, string | undefined>>;

/** They mark the programs of an agent as governed by Roost, and let its hooks report. */
const MARKS = /^ROOST_(SESSION|HOOK_.+|AGENT_NAME|WORKTREE_PATH|PI_GUARD)$/;

/** The folder of Roost's files, so that "roost" finds the same runner inside an agent. */
const PLACE = 'ROOST_HOME';

/** Whether a variable marks a process as one that an agent started. */
export function isAgentMark(name: string): boolean {
	return MARKS.test(name);
}

/** For programs that have nothing to do with Roost: git, tmux, commands of an agent's program. */
export function withoutRoost<E extends Environment>(env: E): Record<string, E[string]> {
	return keep(env, () => false);
}

/** For agents in the user's terminal: their launch adds the variables of its own hooks. */
export function observedEnvironment<E extends Environment>(env: E): Record<string, E[string]> {
	return keep(env, (name) => name === PLACE);
}

/** For the program of an agent's hook, where Roost runs it instead of the agent. */
export function hookProgramEnvironment<E extends Environment>(env: E): Record<string, E[string]> {
	return keep(env, (name) => name === PLACE || isAgentMark(name));
}

/** For a runner: it keeps its own settings, but not the marks of an agent that happened to start it. */
export function runnerEnvironment<E extends Environment>(env: E): Record<string, E[string]> {
	return keep(env, (name) => !isAgentMark(name));
}

/** Only the variables that are set. */
export function onlySet(env: Environment): Record<string, string> {
	return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function keep<E extends Environment>(env: E, isKept: (name: string) => boolean): Record<string, E[string]> {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('ROOST_') || isKept(name))) as Record<
		string,
		E[string]
	>;
}
