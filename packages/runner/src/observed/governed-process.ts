// Whether a process belongs to an agent that Roost governs: by its ancestors, by its environment or theirs, by its group or session.
import { digestOf } from '@roost/agents/hooks/hook-targets';
import { isAgentMark } from '@roost/core/runtime/child-environment';
import type { ProcessScan } from '@roost/machine/process-scan';
import { readEnvironment } from '@roost/machine/process-table';
import { type SessionId, sessionId } from '@roost/protocol/ids';
import type { Launches } from './launches.ts';

/** `session`: whose agent it is, where that is known. */
export type Governed = { session: SessionId | null };

/** Deeper than any real process tree; a deeper result means that the tree changed during the read. */
const MAX_DEPTH = 256;

export function createGovernedProcess(deps: {
	launches: Pick<Launches, 'sessionOf' | 'pids'>;
	runnerPid: number;
	/** Whether this runner has that session: agents of other runners do not count. */
	knows: (session: SessionId) => boolean;
}) {
	const { launches, runnerPid, knows } = deps;

	/** Stops at the runner, which is no agent, whatever started it. */
	function lineOf(pid: number, { processes }: ProcessScan): number[] {
		const line: number[] = [];
		for (let at = pid; at > 1 && at !== runnerPid && line.length < MAX_DEPTH; at = processes.get(at)?.parent ?? 0) line.push(at);
		return line;
	}

	function byDescent(pid: number, scan: ProcessScan): Governed | null {
		const line = lineOf(pid, scan);
		const session = launches.sessionOf((launch) => launch.pid !== undefined && line.includes(launch.pid));
		if (session) return { session };
		for (const each of line) {
			const marked = byEnvironment(each);
			if (marked) return marked;
		}
		return null;
	}

	/** The initial environment of the process, which a program cannot change. */
	function byEnvironment(pid: number): Governed | null {
		const marks = new Map(readEnvironment(pid).flatMap(toMark));
		if (marks.size === 0) return null;
		const digest = digestOf(marks.get('ROOST_HOOK_SECRET') ?? '');
		const named = marks.get('ROOST_SESSION');
		const found = launches.sessionOf((launch) => launch.digest === digest || launch.first === named);
		return { session: found ?? sessionId.safeParse(named).data ?? null };
	}

	/** A process that lost its parents keeps its group and session. The terminals of launches and of the runner belong to the user, so they do not count. */
	function byCompany(pid: number, scan: ProcessScan): Governed | null {
		const own = scan.processes.get(pid);
		if (!own) return null;
		const users = [runnerPid, ...launches.pids()].flatMap((each) => scan.processes.get(each) ?? []);
		const isShared = (of: 'group' | 'session') => own[of] > 1 && !users.some((user) => user[of] === own[of]);
		const shared = (['group', 'session'] as const).filter(isShared);
		for (const [other, entry] of scan.processes) {
			if (other === pid || !shared.some((of) => entry[of] === own[of])) continue;
			const governed = byDescent(other, scan);
			if (governed?.session && knows(governed.session)) return governed;
		}
		return null;
	}

	return (pid: number, scan: ProcessScan): Governed | null => byDescent(pid, scan) ?? byCompany(pid, scan);
}

function toMark(entry: string): [string, string][] {
	const at = entry.indexOf('=');
	const name = entry.slice(0, at);
	return at > 0 && isAgentMark(name) ? [[name, entry.slice(at + 1)]] : [];
}
