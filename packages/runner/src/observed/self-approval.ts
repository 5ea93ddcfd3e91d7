// An agent that tries to decide for its user: identified by its process or its environment, denied, and recorded.
import { digestOf } from '@roost/agents/hooks/hook-targets';
import type { JudgePeer } from '@roost/gateway/access/peers';
import type { ProcessScan } from '@roost/machine/process-scan';
import { type Connection, findPeer } from '@roost/machine/process-scan';
import type { DeciderBody, DeciderJudged } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import { type SessionId, sessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Engine } from '../engine/engine.ts';
import { createGovernedProcess, type Governed } from './governed-process.ts';
import type { Launches } from './launches.ts';

export type SelfApproval = {
	/** Whether the process belongs to an agent; if so, the attempt is a fact of its session. */
	judge(body: DeciderBody): Promise<Result<DeciderJudged>>;
	/** The same for the peer of a connection, as the operating system reports it; an error if that is an agent. */
	judgePeer: JudgePeer;
	/** An invalid credential: if it is the secret of a hook, an agent used it. */
	noteWrongToken(token: string): void;
};

export function createSelfApproval(deps: {
	launches: Pick<Launches, 'sessionOf' | 'pids'>;
	engine: Pick<Engine, 'note' | 'holders'>;
	ancestorsOf: (pid: number) => readonly number[];
	/** Null where the system does not show its processes. */
	scan: (() => Promise<ProcessScan>) | null;
	warn: (sentence: string) => void;
}): SelfApproval {
	const knows = (id: SessionId) => deps.engine.holders.rowOf(id) !== undefined;
	const governedBy = createGovernedProcess({ launches: deps.launches, runnerPid: process.pid, knows });

	function record(session: SessionId | null, message: string): void {
		const fact = { kind: 'runtime.error', data: { code: 'self_approval', message } } as const;
		if (session === null || !deps.engine.note(session, fact)) deps.warn(`${message} Its session is not live: ${session}`);
	}

	/** A launch may report for another session after a resume or a clear, so its current session counts. */
	async function findSession({ pid, session }: DeciderBody): Promise<SessionId | null> {
		const line = deps.ancestorsOf(pid);
		const byAncestor = deps.launches.sessionOf((launch) => launch.pid !== undefined && line.includes(launch.pid));
		if (byAncestor) return byAncestor;
		if (session !== undefined) return deps.launches.sessionOf((launch) => launch.first === session) ?? sessionId.parse(session);
		return (deps.scan && governedBy(pid, await deps.scan())?.session) ?? null;
	}

	/** The peer of a hidden process may be any process with an unreadable environment. */
	function suspect(connection: Connection, scan: ProcessScan): { governed: Governed | null; peer: string } {
		const peer = findPeer(connection, scan);
		const pids = peer.type === 'found' ? peer.pids : peer.type === 'hidden' ? scan.unreadable : [];
		const governed = pids.map((pid) => governedBy(pid, scan)).find((each) => each !== null) ?? null;
		return { governed, peer: peer.type === 'found' ? `process ${peer.pids.join(', ')}` : peer.type };
	}

	return {
		async judge(body) {
			const session = await findSession(body);
			if (session) record(session, tried(`roost ${body.command}`.trim()));
			return ok({ governedBy: session });
		},
		async judgePeer(connection, operation) {
			if (!deps.scan) return ok('unknown');
			const scan = await deps.scan();
			const { governed, peer } = suspect(connection, scan);
			if (governed) {
				record(governed.session, tried(operation));
				return err(new AppError('denied', 'Agents cannot decide for their user. Use a terminal that no agent runs in.'));
			}
			if (peer === 'gone' || (peer === 'hidden' && scan.isPartial)) {
				deps.warn(`"${operation}" was refused: the process that sent it ${peer === 'gone' ? 'is gone' : 'cannot be found'}`);
				return err(
					new AppError(
						'denied',
						'The process that sent this request cannot be identified. Send it again and wait for the reply.',
					),
				);
			}
			return ok(peer);
		},
		noteWrongToken(token) {
			const digest = digestOf(token);
			const session = deps.launches.sessionOf((launch) => launch.digest === digest);
			if (session) record(session, 'The agent tried the secret of its hooks on the API and was refused.');
		},
	};
}

function tried(operation: string): string {
	return `The agent tried to decide for its user with "${operation}" and was refused.`;
}
