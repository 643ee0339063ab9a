; What the query of C++ lacks besides what that of C lacks, too.
(function_declarator declarator: (qualified_identifier) @name) @definition.method
(function_declarator declarator: [(destructor_name) (operator_name)] @name) @definition.method
(namespace_definition name: (_) @name) @definition.module
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.interface
(call_expression function: (qualified_identifier name: (identifier) @name)) @reference.call
(template_function name: (identifier) @name) @reference.call
(template_method name: (field_identifier) @name) @reference.call
(new_expression type: (type_identifier) @name) @reference.call
