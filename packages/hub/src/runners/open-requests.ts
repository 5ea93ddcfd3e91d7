// Requests to a runner that wait for its reply.
import { AppError, type WireError } from '@roost/protocol/app-error';
import type { LinkOutcome } from '@roost/protocol/hub/link-frames';

export type OpenRequests = {
	open(send: (id: string) => void): Promise<LinkOutcome>;
	/** A reply to an unknown or late request is ignored. */
	settle(id: string, outcome: LinkOutcome): void;
	/** The connection was lost: all of them fail. */
	end(): void;
};

const MOST_OPEN = 256;

export function createOpenRequests({ newId, requestMs }: { newId: () => string; requestMs: number }): OpenRequests {
	const open = new Map<string, (outcome: LinkOutcome) => void>();
	let hasEnded = false;

	return {
		async open(send) {
			if (hasEnded) return failed(new AppError('cannot_start', LOST));
			if (open.size >= MOST_OPEN)
				return failed(new AppError('store_busy', 'Too many requests to this runner are pending. Retry later.'));
			const id = newId();
			const { promise, resolve } = Promise.withResolvers<LinkOutcome>();
			const late = new AppError('timed_out', `The runner did not reply within ${requestMs / 1_000} seconds. Retry later.`);
			const timer = setTimeout(() => resolve(failed(late)), requestMs);
			open.set(id, resolve);
			send(id);
			try {
				return await promise;
			} finally {
				clearTimeout(timer);
				open.delete(id);
			}
		},
		settle: (id, outcome) => open.get(id)?.(outcome),
		end() {
			hasEnded = true;
			for (const resolve of open.values()) resolve(failed(new AppError('cannot_start', LOST)));
		},
	};
}

const LOST = 'The connection to the runner was lost. Retry when it is online again.';

function failed(error: WireError): LinkOutcome {
	return { ok: false, error: { code: error.code, message: error.message } };
}
