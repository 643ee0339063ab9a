; What the queries of JavaScript and TypeScript both lack of TypeScript.
(enum_declaration name: (identifier) @name) @definition.enum
(type_alias_declaration name: (type_identifier) @name) @definition.type
(internal_module name: (_) @name) @definition.module
(public_field_definition name: (_) @bound)
(public_field_definition name: (_) @name
    value: [(arrow_function) (function_expression)]) @definition.method
(property_signature name: (_) @bound)
(required_parameter pattern: (identifier) @bound)
(optional_parameter pattern: (identifier) @bound)
(enum_body name: (property_identifier) @bound)
(enum_assignment name: (property_identifier) @bound)
