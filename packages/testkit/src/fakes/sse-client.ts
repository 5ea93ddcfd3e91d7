// A small client of the Messages API, written apart from the fake server so that the two can disagree.
export type ServerEvent = { readonly name: string; readonly text: string };

export function postMessages(
	url: string,
	body: Readonly<Record<string, unknown>>,
	headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
	const request = { model: 'model-1', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }], ...body };
	return fetch(`${url}/v1/messages?beta=true`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(request),
	});
}

/** Yields events as they arrive; text after the last empty line is no event. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
	let rest = '';
	const decoder = new TextDecoder();
	for await (const bytes of response.body ?? []) {
		rest += decoder.decode(bytes, { stream: true });
		const whole = rest.split('\n\n');
		rest = whole.pop() ?? '';
		yield* whole.map(toEvent);
	}
}

function toEvent(block: string): ServerEvent {
	const [first = '', second = '', ...more] = block.split('\n');
	if (!first.startsWith('event: ') || !second.startsWith('data: ') || more.length > 0) throw new Error(`not an event: ${block}`);
	return { name: first.slice('event: '.length), text: second.slice('data: '.length) };
}
