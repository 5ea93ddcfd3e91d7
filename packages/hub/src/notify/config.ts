// Where and when a hub notifies people, as its configuration says. The addresses come from there only.
import { isLoopback } from '@roost/gateway/access/checks';
import { z } from 'zod';

const address = z
	.url({ protocol: /^https?$/, error: 'expected an address such as https://ntfy.example.com', abort: true })
	.refine(
		(url) => url.startsWith('https:') || isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, '')),
		'expected https, except on this machine',
	);

/** `slack`: `{text}`; `ntfy`: a message to a topic, posted to the root of the server; `json`: the ids as they are. */
export const webhook = z.discriminatedUnion('format', [
	z.strictObject({ url: address, format: z.literal('slack') }),
	z.strictObject({ url: address, format: z.literal('ntfy'), topic: z.string().regex(/^[\w-]{1,64}$/) }),
	z.strictObject({ url: address, format: z.literal('json') }),
]);
export type Webhook = z.infer<typeof webhook>;

const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;

export const notifyConfig = z.strictObject({
	webhooks: z.array(webhook).max(10).default([]),
	/** No notification in these hours: requests that are still pending are notified at their end. */
	quietHours: z
		.string()
		.regex(new RegExp(`^${time}-${time}$`), 'expected hours such as 22:00-07:00')
		.optional(),
	/** Of the quiet hours; without it that of this machine. */
	timeZone: z.string().refine(isTimeZone, 'expected a time zone such as Europe/Berlin').optional(),
	/** By id or name of a runner: false switches its notifications off. */
	runners: z.record(z.string(), z.boolean()).default({}),
});
export type NotifyConfig = z.infer<typeof notifyConfig>;

function isTimeZone(name: string): boolean {
	try {
		return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
	} catch {
		return false;
	}
}
