/** Tests of drawings: taken from a file or laid out, marked, and harmless whatever a file says. */
import { describe, expect, it } from 'vitest';
import { compile } from '../bpmn/compile.ts';
import { read } from '../bpmn/read.ts';
import { draw } from './draw.ts';
import { drawingOfFile } from './from-bpmn.ts';
import { layOut } from './lay-out.ts';

const wrapped = (elements: string, drawing = ''): Buffer =>
  Buffer.from(`<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
    xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"
    xmlns:di="http://www.omg.org/spec/DD/20100524/DI" targetNamespace="t">
    <process id="p" isExecutable="true">${elements}</process>${drawing}</definitions>`);

const ELEMENTS = `<startEvent id="s"/><userTask id="a" name="&lt;script&gt;alert(1)&lt;/script&gt;"/><endEvent id="e"/>
  <sequenceFlow id="f1" sourceRef="s" targetRef="a"/><sequenceFlow id="f2" sourceRef="a" targetRef="e"/>`;

const shape = (id: string, x: number, width: number): string =>
  `<bpmndi:BPMNShape bpmnElement="${id}"><dc:Bounds x="${x}" y="100" width="${width}" height="60"/></bpmndi:BPMNShape>`;
const DRAWN = `<bpmndi:BPMNDiagram><bpmndi:BPMNPlane bpmnElement="p">${shape('s', 0, 36)}${shape('a', 100, 110)}
  <bpmndi:BPMNEdge bpmnElement="f1"><di:waypoint x="36" y="118"/><di:waypoint x="100" y="118"/></bpmndi:BPMNEdge>
  </bpmndi:BPMNPlane></bpmndi:BPMNDiagram>`;

describe('A drawing', () => {
  it('has the shapes and lines of its file', async () => {
    const { root } = await read(wrapped(ELEMENTS, DRAWN));
    expect(drawingOfFile(root!)).toMatchObject({
      shapes: [
        {
          id: 's',
          figure: 'event',
          x: 0,
          width: 36,
        },
        {
          id: 'a',
          figure: 'activity',
          x: 100,
          width: 110,
        },
      ],
      lines: [
        {
          id: 'f1',
          points: [
            [36, 118],
            [100, 118],
          ],
        },
      ],
    });
  });

  it('of a file without one is laid out from left to right', async () => {
    const { root } = await read(wrapped(ELEMENTS));
    const { shapes, lines } = layOut(compile(root!).program);
    expect(shapes.toSorted((one, other) => one.x - other.x).map(({ id }) => id)).toEqual(['s', 'a', 'e']);
    expect(lines.map(({ id }) => id)).toEqual(['f1', 'f2']);
  });

  it('marks elements, and says so in words', async () => {
    const { root } = await read(wrapped(ELEMENTS, DRAWN));
    expect(draw(drawingOfFile(root!), new Map([['a', 'active']]))).toMatch(/<title>[^<]*: active<\/title>/);
  });

  it('holds nothing of a file but text', async () => {
    const { root } = await read(wrapped(ELEMENTS, DRAWN));
    const svg = draw(drawingOfFile(root!), new Map());
    expect(svg).not.toMatch(/<script|href=|on\w+=|<image|<foreignObject|url\((?!#arrow)/i);
    expect(svg).toContain('&lt;script&gt;');
  });

  it('leaves out places that are no numbers', async () => {
    const far = DRAWN.replace('x="100" y="100"', 'x="1e300" y="NaN"');
    const { root } = await read(wrapped(ELEMENTS, far));
    expect(drawingOfFile(root!).shapes.map(({ id }) => id)).toEqual(['s']);
  });
});
