package app;

import graphql.language.Argument;
import graphql.language.AstPrinter;
import graphql.language.Definition;
import graphql.language.Document;
import graphql.language.Field;
import graphql.language.IntValue;
import graphql.language.OperationDefinition;
import graphql.language.SelectionSet;
import graphql.language.StringValue;
import graphql.parser.Parser;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import office.Office;

/** A gateway takes queries, puts in what a client may see, and sends them on as text. */
public final class Graphql3710 {
    private static final String[] QUERIES = {
        "query orders { orders(first: 20, state: OPEN) { number customer { name city } lines { article count price } total } }",
        "query customer { customer(id: 7) { ...card orders(first: 5) { number total } } } fragment card on Customer { name mail phone address { street city } }",
        "query stock { articles(group: \"tools\") { number name price(currency: \"EUR\") stock { place count } supplier { name } } }",
        "mutation pay { pay(order: 12, input: {amount: 1000, note: \"paid \\\"at once\\\"\"}) { receipt { number date } order { state } } }"
    };

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        Document[] queries = new Document[QUERIES.length];
        for (int query = 0; query < queries.length; query++) {
            queries[query] = Parser.parse(QUERIES[query]);
        }
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Random random = new Random(day);
            long sum = 0;
            for (int request = 0; request < 320; request++) {
                sum = sum * 31 + forward(queries[random.nextInt(queries.length)], random).hashCode();
            }
            Office.add(sum);
            Office.afternoon(day);
        }
        Office.close();
    }

    private static String forward(Document query, Random random) {
        OperationDefinition operation = (OperationDefinition) query.getDefinitions().get(0);
        Field field = (Field) operation.getSelectionSet().getSelections().get(0);
        Argument tenant = Argument.newArgument("tenant", StringValue.of("tenant " + random.nextInt(40))).build();
        Argument limit = Argument.newArgument("limit", IntValue.of(10 + random.nextInt(90))).build();
        List<Argument> asked = new ArrayList<>(field.getArguments());
        asked.add(tenant);
        asked.add(limit);
        Field sent = field.transform(builder -> builder.arguments(asked));
        OperationDefinition changed = operation.transform(builder -> builder.selectionSet(
                SelectionSet.newSelectionSet().selection(sent).build()));
        List<Definition> definitions = new ArrayList<>(query.getDefinitions());
        definitions.set(0, changed);
        Document document = Document.newDocument().definitions(definitions).build();
        return random.nextBoolean() ? AstPrinter.printAst(document) : AstPrinter.printAstCompact(document);
    }
}
