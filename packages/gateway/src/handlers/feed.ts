// The stored lines of a session, sent as they are stored.
import { sessionStream } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import type { ApiHandlers } from '../operations/api.ts';
import type { Backend } from '../operations/backend.ts';

export function feedHandlers({ log, record }: Pick<Backend, 'log' | 'record'>): ApiHandlers['feed'] {
	return {
		async events({ id, after, limit }, context) {
			const page = await log.read({ stream: sessionStream(id), after, limit });
			if (!page.ok) return page;
			if (page.value.length === 0) {
				const known = await record.session({ id }, context);
				if (!known.ok) return known;
			}
			return ok({ rawJson: `[${page.value.map(({ line }) => line).join(',')}]` });
		},
	};
}
