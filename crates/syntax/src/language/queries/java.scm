; What the query of the grammar lacks.
(constructor_declaration name: (identifier) @name) @definition.method
(compact_constructor_declaration name: (identifier) @name) @definition.method
(enum_declaration name: (identifier) @name) @definition.enum
(record_declaration name: (identifier) @name) @definition.class
(annotation_type_declaration name: (identifier) @name) @definition.interface
(field_declaration (modifiers "static")
    declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(enum_constant name: (identifier) @bound)
(variable_declarator name: (identifier) @bound)
(formal_parameter name: (identifier) @bound)
