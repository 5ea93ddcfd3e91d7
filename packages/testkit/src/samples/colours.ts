// One question as an agent asks it: two options, one to choose.
export const COLOURS = [
	{
		question: 'Which colour?',
		header: 'Colour',
		multiSelect: false,
		options: [
			{ label: 'Red', description: 'r' },
			{ label: 'Blue', description: 'b' },
		],
	},
];
