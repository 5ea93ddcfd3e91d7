// The current status of the agent of the open session, polled because no event reports it.
import type { ApiClient } from '../api-client.ts';
import type { World } from './world.ts';

export type StatusWatch = {
	/** Time passed. */
	tick(): void;
};

const POLL_MS = 2_000;

export function watchStatus(deps: {
	api: Pick<ApiClient['record'], 'session'>;
	world: () => Pick<World, 'open' | 'connection' | 'agentStatus'>;
	now: () => number;
	onChange: (facts: Pick<World, 'agentStatus'>) => void;
}): StatusWatch {
	const { api, world, now, onChange } = deps;
	let askedAt = Number.NEGATIVE_INFINITY;
	let asking = false;

	async function ask(id: NonNullable<World['open']>['id']): Promise<void> {
		asking = true;
		askedAt = now();
		const described = await api.session({ id });
		asking = false;
		// Another session may be open by now.
		if (world().open?.id !== id) return;
		const status = described.ok ? described.value.agentStatus : undefined;
		if (status) onChange({ agentStatus: { sessionId: id, status, readAt: askedAt } });
		else forget();
	}

	function forget(): void {
		if (world().agentStatus) onChange({ agentStatus: null });
	}

	return {
		tick() {
			const { open, connection } = world();
			if (!open || open.past || open.view.state.ended || connection.state !== 'live') return forget();
			if (!asking && now() - askedAt >= POLL_MS) void ask(open.id);
		},
	};
}
