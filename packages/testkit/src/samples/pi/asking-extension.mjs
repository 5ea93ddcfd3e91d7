// A sample extension for Pi: a tool that asks its user in every possible way.

/** @public */
export default function askUser(pi) {
	pi.registerTool({
		name: 'ask',
		label: 'ask',
		description: 'Asks the user',
		parameters: { type: 'object', properties: {} },
		async execute(_id, _input, _signal, _update, { ui }) {
			const colour = await ui.select('Which colour?', ['red', 'blue']);
			const sure = await ui.confirm('Sure?', `It is ${colour}.`);
			const name = await ui.input('A name?', 'yours');
			const more = await ui.editor('Anything else?', '');
			ui.notify('Thank you.');
			return { content: [{ type: 'text', text: [colour, sure, name, String(more)].join(' ') }], details: undefined };
		},
	});
}
