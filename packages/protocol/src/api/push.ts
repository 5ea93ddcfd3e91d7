// Web push over the wire: the subscription of a browser, and the content of a push.
import { z } from 'zod';
import { askId } from '../ids.ts';

/** As the browser's push service made it. Browsers may add padding. */
export const pushSubscription = z.strictObject({
	/** A secret address: anyone with it and the key of the runner can send to this browser. */
	endpoint: z.url().max(2_048),
	keys: z.strictObject({
		p256dh: z.string().regex(/^[\w-]{87}=?$/, 'expected 65 bytes as base64url'),
		auth: z.string().regex(/^[\w-]{22}(?:==)?$/, 'expected 16 bytes as base64url'),
	}),
});
export type PushSubscriptionBody = z.infer<typeof pushSubscription>;

/** `GET /push/key`: the key that a browser subscribes with, and whether the calling device has a subscription. */
export const pushKey = z.object({ publicKey: z.string(), subscribed: z.boolean() });

/** The content of a push: no text of a request, which is read after the tap. */
export const pushMessage = z.object({
	/** Number of pending requests; with 0, notifications are closed. */
	count: z.int().nonnegative(),
	/** The oldest of them. */
	ask: askId.optional(),
	/** The name of the runner. */
	runner: z.string(),
	/** Requested by the user, to see that it arrives. */
	test: z.literal(true).optional(),
});
export type PushMessage = z.infer<typeof pushMessage>;
