/** The part of bpmn-moddle that the service uses; the package ships no declarations for its entry. */
declare module 'bpmn-moddle' {
  interface Warning {
    readonly message: string;
    readonly element?: object;
    readonly value?: string;
  }
  export class BpmnModdle {
    constructor(packages: Readonly<Record<string, object>>);
    fromXML(text: string): Promise<{ readonly rootElement: object; readonly warnings: readonly Warning[] }>;
  }
}
