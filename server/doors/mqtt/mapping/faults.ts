// What is wrong with a message or with a mapping, in words for people.

/** A message that cannot become points; it is counted, shown and acknowledged. */
export class PayloadFault extends Error {}

/** A mapping of the configuration that can never work. */
export class MappingFault extends Error {}
