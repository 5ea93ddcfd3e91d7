// Runs a session's agent in a terminal: the same conversation, observed and enforced like any agent that Roost launches.
import type { InTerminal as InTerminalArgs } from '@roost/agents/kind/agent-kind';
import { AGENT_KINDS, findKind } from '@roost/agents/kinds';
import { setAside } from '@roost/core/process/loader-variables';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { TerminalRow } from '@roost/protocol/api/terminals';
import type { SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { Drive } from '@roost/protocol/session-row';
import type { Terminals } from '../terminals/terminals.ts';
import { shellProgram } from '../terminals/tmux-terminals.ts';

export type TerminalMode = {
	/** Why this agent cannot run in a terminal; null if it can. */
	refuse(agent: string): string | null;
	newNativeId(agent: string): string;
	open(session: InTerminal): Promise<Result<TerminalRow>>;
	find(id: SessionId): TerminalRow | undefined;
	pidOf(id: SessionId): number | undefined;
	/** Resolves when its program is gone. */
	close(id: SessionId): Promise<void>;
	/** Called when such a terminal ends, for any reason. */
	onEnd(handler: (ended: EndedTerminal) => void): () => void;
};

export type InTerminal = {
	id: SessionId;
	agent: string;
	drive: Drive;
	nativeId: string;
	isNew: boolean;
	recording?: boolean | undefined;
};

export const ONLY_TERMINALS = 'Only a session in a terminal can be recorded: use mode pty.';

export type EndedTerminal = {
	session: SessionId;
	exitCode: number | null;
	readScreen(): Promise<readonly string[]>;
};

export function openTerminalMode(deps: {
	terminals: Pick<Terminals, 'start' | 'list' | 'pidOf' | 'close' | 'onEnd' | 'readScreen'>;
	roost: readonly [string, ...string[]];
	config: Pick<RunnerConfig, 'pty'>;
	env: NodeJS.ProcessEnv;
}): TerminalMode {
	const { terminals, roost, config, env } = deps;
	const find = (id: SessionId) => terminals.list().find((row) => row.sessionId === id && row.state === 'running');

	return {
		find,
		pidOf: terminals.pidOf,
		refuse: (agent) =>
			findKind(agent)?.inTerminal
				? null
				: `${agent} cannot run in a terminal of Roost; only ${OPENED} can. Prompt the session instead.`,
		newNativeId: (agent) => terminalOf(agent).newNativeId(),
		async open({ id, agent, drive, nativeId, isNew, recording }) {
			const shell = shellProgram({ shell: config.pty.shell, cwd: drive.cwd, env });
			const [program, ...args] = roost;
			const argv = [program, ...args, '--enforce', agent, ...terminalOf(agent).toArgs(drive, nativeId, isNew)] as const;
			const home: Record<string, string> = env.ROOST_HOME === undefined ? {} : { ROOST_HOME: env.ROOST_HOME };
			const started = { ...shell, argv, env: { ...setAside(shell.env), ...home } };
			return await terminals.start({ program: started, sessionId: id, title: agent, recording });
		},
		async close(id) {
			const row = find(id);
			if (row) await terminals.close(row.id);
		},
		onEnd: (handler) =>
			terminals.onEnd(({ id, sessionId: session, exitCode }) => {
				if (session !== null) handler({ session, exitCode, readScreen: () => terminals.readScreen(id) });
			}),
	};
}

function terminalOf(agent: string): InTerminalArgs {
	const inTerminal = findKind(agent)?.inTerminal;
	if (!inTerminal) throw new Error(`${agent} cannot run in a terminal.`);
	return inTerminal;
}

const OPENED = AGENT_KINDS.filter(({ inTerminal }) => inTerminal)
	.map(({ known }) => known.title)
	.join(', ');
