// A session in a terminal that people type in: the same conversation, observed and enforced as any agent that Roost starts there.
import type { InTerminal as InTerminalArgs } from '@roost/agents/kind/agent-kind';
import { AGENT_KINDS, findKind } from '@roost/agents/kinds';
import { setAside } from '@roost/core/process/loader-variables';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { TerminalProgram } from '@roost/machine/terminal-process';
import type { TerminalRow } from '@roost/protocol/api/terminals';
import type { SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { Drive } from '@roost/protocol/session-row';
import { shellProgram } from '../terminals/start-terminals.ts';
import type { Terminals } from '../terminals/terminals.ts';

export type TerminalMode = {
	/** Why sessions of this agent are in no terminal; null where they can be. */
	refuse(agent: string): string | null;
	/** The id under which an agent begins a conversation there. */
	newNativeId(agent: string): string;
	/** Its agent in a terminal, which goes on with this conversation or begins it. */
	open(session: InTerminal): Promise<Result<TerminalRow>>;
	/** The terminal in which the session's agent runs. */
	find(id: SessionId): TerminalRow | undefined;
	/** Of what runs in that terminal. */
	pidOf(id: SessionId): number | undefined;
	/** Ends what runs there; resolves when it is gone. */
	close(id: SessionId): Promise<void>;
	/** Told of each such terminal that ended, however that came. */
	onEnd(handler: (ended: EndedTerminal) => void): () => void;
};

export type InTerminal = {
	id: SessionId;
	agent: string;
	drive: Drive;
	nativeId: string;
	isNew: boolean;
	/** What it shows is kept as a file. */
	recording?: boolean | undefined;
};

export const ONLY_TERMINALS = 'Only a session in a terminal can be recorded: use mode pty.';

export type EndedTerminal = {
	session: SessionId;
	exitCode: number | null;
	/** What stood on it last. */
	readScreen(): Promise<readonly string[]>;
};

export function createTerminalMode(deps: {
	terminals: Pick<Terminals, 'start' | 'list' | 'pidOf' | 'close' | 'onEnd' | 'readScreen'>;
	/** The program of `roost`, as it is called from a terminal. */
	roost: readonly [string, ...string[]];
	/** What a program in a terminal of the user finds in its environment. */
	programIn: (cwd: string) => TerminalProgram;
	/** Where `roost` in there finds this runner. */
	home: Readonly<Record<string, string>>;
}): TerminalMode {
	const find = (id: SessionId) => deps.terminals.list().find((row) => row.sessionId === id && row.state === 'running');

	return {
		find,
		pidOf: deps.terminals.pidOf,
		refuse: (agent) =>
			findKind(agent)?.inTerminal
				? null
				: `A session of ${agent} runs in no terminal: Roost opens only ${OPENED} in one. Prompt it here instead.`,
		newNativeId: (agent) => terminalOf(agent).newNativeId(),
		async open({ id, agent, drive, nativeId, isNew, recording }) {
			const usual = deps.programIn(drive.cwd);
			const argv = [...deps.roost, '--enforce', agent, ...terminalOf(agent).toArgs(drive, nativeId, isNew)] as const;
			const program = { ...usual, argv: [argv[0], ...argv.slice(1)] as const, env: { ...setAside(usual.env), ...deps.home } };
			return await deps.terminals.start({ program, sessionId: id, title: agent, recording });
		},
		async close(id) {
			const row = find(id);
			if (row) await deps.terminals.close(row.id);
		},
		onEnd: (handler) =>
			deps.terminals.onEnd(({ id, sessionId: session, exitCode }) => {
				if (session !== null) handler({ session, exitCode, readScreen: () => deps.terminals.readScreen(id) });
			}),
	};
}

/** As this runner opens terminals for its user. */
export function openTerminalMode(deps: {
	terminals: Pick<Terminals, 'start' | 'list' | 'pidOf' | 'close' | 'onEnd' | 'readScreen'>;
	roost: readonly [string, ...string[]];
	config: Pick<RunnerConfig, 'pty'>;
	env: NodeJS.ProcessEnv;
}): TerminalMode {
	const { terminals, roost, config, env } = deps;
	const programIn = (cwd: string) => shellProgram({ shell: config.pty.shell, cwd, env });
	const home: Record<string, string> = env.ROOST_HOME === undefined ? {} : { ROOST_HOME: env.ROOST_HOME };
	return createTerminalMode({ terminals, roost, programIn, home });
}

/** Of an agent that was not refused. */
function terminalOf(agent: string): InTerminalArgs {
	const inTerminal = findKind(agent)?.inTerminal;
	if (!inTerminal) throw new Error(`${agent} runs in no terminal.`);
	return inTerminal;
}

const OPENED = AGENT_KINDS.filter(({ inTerminal }) => inTerminal)
	.map(({ known }) => known.title)
	.join(', ');
