// Tabs of one window, as a user has them: only the front one is visible. Playwright keeps every page of a profile visible.
import type { CDPSession } from 'playwright-core';
import { z } from 'zod';

export type Tab = AsyncDisposable & {
	/** Runs the body of an async function in the page. */
	run(body: string): Promise<unknown>;
	open(url: string): Promise<void>;
	toFront(): Promise<void>;
	/** Browsers freeze only hidden tabs. */
	setLifecycle(state: 'frozen' | 'active'): Promise<void>;
};

const reply = z.object({
	/** Absent from events. */
	id: z.number().optional(),
	result: z
		.object({
			result: z.object({ value: z.unknown().optional() }).optional(),
			exceptionDetails: z
				.object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
				.optional(),
		})
		.optional(),
	error: z.object({ message: z.string() }).optional(),
});
type Reply = Omit<z.infer<typeof reply>, 'id'>;

/** `before`: a script that each of its pages runs before its own. */
export type OpenTab = (before?: string) => Promise<Tab>;

export function createTabs(browser: CDPSession): OpenTab {
	const waiting = new Map<number, (reply: Reply) => void>();
	let last = 0;
	browser.on('Target.receivedMessageFromTarget', ({ message }) => {
		const { id, ...rest } = reply.parse(JSON.parse(message));
		if (id !== undefined) waiting.get(id)?.(rest);
	});

	async function send(sessionId: string, method: string, params: object = {}): Promise<Reply> {
		const id = ++last;
		const { promise, resolve } = Promise.withResolvers<Reply>();
		waiting.set(id, resolve);
		await browser.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
		const replied = await promise;
		waiting.delete(id);
		if (replied.error) throw new Error(`${method}: ${replied.error.message}`);
		return replied;
	}

	return async (before = '') => {
		const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
		const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: false });
		await send(sessionId, 'Page.enable');
		await send(sessionId, 'Page.addScriptToEvaluateOnNewDocument', { source: before });
		return {
			async run(body) {
				const expression = `(async () => {${body}})()`;
				const { result } = await send(sessionId, 'Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
				if (result?.exceptionDetails) {
					throw new Error(result.exceptionDetails.exception?.description ?? result.exceptionDetails.text);
				}
				return result?.result?.value;
			},
			open: async (url) => void (await send(sessionId, 'Page.navigate', { url })),
			toFront: async () => void (await send(sessionId, 'Page.bringToFront')),
			setLifecycle: async (state) => void (await send(sessionId, 'Page.setWebLifecycleState', { state })),
			[Symbol.asyncDispose]: async () => void (await browser.send('Target.closeTarget', { targetId })),
		};
	};
}
