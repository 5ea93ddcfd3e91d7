// The steps in which a fake model streams a reply, whichever API it plays.

export type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** `paced` events wait for the reply's pace: every text delta after the first of the message. */
export type StreamStep = { readonly event: StreamEvent; readonly paced: boolean };

export function toSse(event: StreamEvent): string {
	return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

export function step(event: StreamEvent): StreamStep {
	return { event, paced: false };
}

/** `isText` tells the deltas that show words. */
export function paceText(events: readonly StreamEvent[], isText: (event: StreamEvent) => boolean): readonly StreamStep[] {
	let textSent = false;
	return events.map((event) => {
		const paced = isText(event) && textSent;
		textSent ||= isText(event);
		return { event, paced };
	});
}

/** Tool input never comes in one piece from a real API, so it does not here. */
export function inHalves(text: string): readonly string[] {
	const middle = Math.ceil(text.length / 2);
	return [text.slice(0, middle), text.slice(middle)];
}
