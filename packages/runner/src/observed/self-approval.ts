// An agent that tries to decide for its user: recognised by its ancestors or by what its environment holds, and put on record.
import { digestOf } from '@roost/agents/hooks/hook-targets';
import type { DeciderBody, DeciderJudged } from '@roost/protocol/api/deciders';
import { type SessionId, sessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Engine } from '../engine/engine.ts';
import type { LaunchDesk } from './launch-desk.ts';

export type SelfApproval = {
	/** Whether the process belongs to an agent; if so, the attempt is a fact of its session. */
	judge(body: DeciderBody): Result<DeciderJudged>;
	/** A credential that opens nothing: where it is a hook's secret, an agent tried it. */
	noteWrongToken(token: string): void;
};

export function createSelfApproval(deps: {
	launches: Pick<LaunchDesk, 'sessionOf'>;
	engine: Pick<Engine, 'note'>;
	ancestorsOf: (pid: number) => readonly number[];
	warn: (sentence: string) => void;
}): SelfApproval {
	function record(session: SessionId, message: string): void {
		const noted = deps.engine.note(session, { kind: 'runtime.error', data: { code: 'self_approval', message } });
		if (!noted) deps.warn(`${message} Its session is not live: ${session}`);
	}

	/** A launch reports for another session after a resume or a clear, so its own word on that counts. */
	function findSession({ pid, session }: DeciderBody): SessionId | null {
		const line = deps.ancestorsOf(pid);
		const byAncestor = deps.launches.sessionOf((launch) => launch.pid !== undefined && line.includes(launch.pid));
		if (byAncestor || session === undefined) return byAncestor;
		return deps.launches.sessionOf((launch) => launch.first === session) ?? sessionId.parse(session);
	}

	return {
		judge(body) {
			const governedBy = findSession(body);
			if (governedBy)
				record(governedBy, `The agent tried to decide for its user with "${`roost ${body.command}`.trim()}" and was refused.`);
			return ok({ governedBy });
		},
		noteWrongToken(token) {
			const digest = digestOf(token);
			const session = deps.launches.sessionOf((launch) => launch.digest === digest);
			if (session) record(session, 'The agent tried the secret of its hooks on the API and was refused.');
		},
	};
}
