// Changes that users make to a session in lists. Each is a fact of the session.
import type { Fact } from '@roost/core/feed/mapper';
import type { DrivenSession } from '@roost/protocol/api/driving';
import type { SessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import type { Engine } from './engine.ts';

export type SessionLabels = {
	rename(id: SessionId, title: string): Promise<Result<DrivenSession>>;
	archive(id: SessionId, archived: boolean): Promise<Result<DrivenSession>>;
};

export function createSessionLabels({ engine, now }: { engine: Engine; now: () => number }): SessionLabels {
	async function note(id: SessionId, fact: Fact): Promise<Result<DrivenSession>> {
		const session = engine.session(id);
		if (!session.ok) return session;
		const noted = await session.value.submit({ type: 'noted', fact, at: now() });
		return noted.ok ? ok({ sessionId: id }) : noted;
	}

	return {
		rename: (id, title) => note(id, { kind: 'session.renamed', data: { title } }),
		archive: (id, archived) => note(id, { kind: 'session.archived', data: { archived } }),
	};
}
