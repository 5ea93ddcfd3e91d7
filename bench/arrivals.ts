// Sends events at a fixed rate, independent of earlier replies: a slow receiver cannot slow down its own load.
import type { Report } from './hook-client.ts';

/** Sends `count` reports at the rate, one at a time per connection; resolves when all are answered. */
export async function arrive(options: {
	perSecond: number;
	count: number;
	agents: readonly Report[];
	payloadAt: (index: number) => Record<string, unknown>;
	onDue: (index: number) => void;
}): Promise<void> {
	const { perSecond, count, agents, payloadAt, onDue } = options;
	const idle = [...agents];
	const due: number[] = [];
	const finished = Promise.withResolvers<void>();
	let answered = 0;

	function sendNext(): void {
		while (idle.length > 0 && due.length > 0) {
			const agent = idle.shift();
			const index = due.shift();
			if (agent && index !== undefined) void agent(payloadAt(index)).then(() => free(agent), finished.reject);
		}
	}

	function free(agent: Report): void {
		idle.push(agent);
		answered += 1;
		if (answered === count) finished.resolve();
		sendNext();
	}

	const started = performance.now();
	let made = 0;
	const timer = setInterval(() => {
		const wanted = Math.min(count, Math.floor(((performance.now() - started) / 1_000) * perSecond));
		for (; made < wanted; made++) {
			onDue(made);
			due.push(made);
		}
		sendNext();
		if (made === count) clearInterval(timer);
	}, 1);
	await finished.promise;
}
