// A notice as the text and the body that a webhook takes.
import { plural } from '@roost/core/display/plural';
import { assertNever } from '@roost/protocol/assert-never';
import type { Webhook } from './config.ts';
import type { Notice } from './plan-notifications.ts';

export function toBody(notice: Notice, webhook: Webhook, link: string): string {
	const { title, message } = toText(notice);
	switch (webhook.format) {
		case 'slack':
			return JSON.stringify({
				text: `*${escapeSlack(title)}*\n${escapeSlack(message)}\n<${escapeSlack(link).replaceAll('|', '%7C')}>`,
			});
		case 'ntfy':
			return JSON.stringify({ topic: webhook.topic, title, message, click: link, priority: notice.kind === 'requests' ? 4 : 3 });
		case 'json':
			return JSON.stringify({ ...notice, link });
		default:
			return assertNever(webhook);
	}
}

function toText(notice: Notice): { title: string; message: string } {
	const { runner, session } = notice;
	switch (notice.kind) {
		case 'requests':
			return {
				title: `Waiting for approval on ${runner.name}`,
				message: `${plural(notice.count, 'pending request')}: ${notice.ask}`,
			};
		case 'run-failed':
			return { title: `Run failed on ${runner.name}`, message: `Session ${session}, run ${notice.run}` };
		default:
			return assertNever(notice);
	}
}

/** A name must not become a link or notify a channel. */
function escapeSlack(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
