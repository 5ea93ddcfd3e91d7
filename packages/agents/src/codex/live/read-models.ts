// The models that Codex offers. It knows those of OpenAI; of another provider it takes any name.
import type { ModelChoice } from '@roost/core/runtime/connection';
import { z } from 'zod';
import type { RpcPeer } from './rpc-peer.ts';

const listed = z.object({ data: z.array(z.object({ model: z.string(), hidden: z.boolean().catch(false) })) });

const OWN_PROVIDER = 'openai';
const MOST = 200;
const FINE_TUNED = 'ft:';

export async function readModels(peer: Pick<RpcPeer, 'request'>, provider: string | undefined): Promise<ModelChoice | null> {
	if (provider !== OWN_PROVIDER) return null;
	const told = await peer.request('model/list', { limit: MOST, includeHidden: true });
	const known = told.ok ? listed.safeParse(told.value) : undefined;
	if (!known?.success || known.data.data.length === 0) return null;
	const all = new Set(known.data.data.map(({ model }) => model));
	return {
		names: known.data.data.flatMap(({ model, hidden }) => (hidden ? [] : [model])),
		has: (name) => all.has(name) || name.startsWith(FINE_TUNED),
	};
}
